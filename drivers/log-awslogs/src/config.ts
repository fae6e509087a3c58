import { type Static, Type } from '@sinclair/typebox';

export const configSchema = Type.Object(
  {
    region: Type.String({
      default: '',
      description: 'For containers that name none; empty: AWS_REGION of the daemon.',
    }),
    containerCredentials: Type.String({
      default: 'http://169.254.170.2',
      description: 'Where awslogs-credentials-endpoint and AWS_CONTAINER_CREDENTIALS_RELATIVE_URI are asked.',
    }),
    metadata: Type.String({
      default: 'http://169.254.169.254',
      description: "Where the machine's role is asked, when there are no other credentials; empty: nowhere.",
    }),
  },
  { additionalProperties: false },
);

export type AwsLogsConfig = Static<typeof configSchema>;
