import { TextField } from '../components/fields';
import type { Credentials } from './registry-auth';

interface CredentialFieldsProps {
  readonly value: Credentials;
  readonly onChange: (value: Credentials) => void;
}

/** Sent with one request and stored nowhere. */
export function CredentialFields({ value, onChange }: CredentialFieldsProps) {
  return (
    <div class="columns">
      <TextField
        label="User at the registry"
        hint="Empty for a public image"
        value={value.username}
        onChange={(username) => onChange({ ...value, username })}
      />
      <TextField
        label="Password or token"
        type="password"
        value={value.password}
        onChange={(password) => onChange({ ...value, password })}
      />
    </div>
  );
}
