import { attempt } from '../notices/notices';
import { Button } from './button';

export function CopyButton({ value, what }: { readonly value: string; readonly what: string }) {
  const copy = () => attempt(`Copying ${what}`, () => navigator.clipboard.writeText(value), `Copied ${what}.`);
  return (
    <Button kind="quiet" label={`Copy ${what}`} onPress={copy}>
      Copy
    </Button>
  );
}
