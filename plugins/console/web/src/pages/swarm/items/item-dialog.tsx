import { useState } from 'preact/hooks';
import { post } from '../../../api/request';
import { FileField, LinesField, TextField } from '../../../components/fields';
import { FormDialog } from '../../../components/form-dialog';
import { parsePairs } from '../../../format/parse-lines';

interface ItemDialogProps {
  readonly kind: string;
  readonly close: () => void;
}

export function ItemDialog({ kind, close }: ItemDialogProps) {
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const [file, setFile] = useState<File>();
  const [labels, setLabels] = useState('');
  const submit = async (): Promise<void> => {
    const bytes = file === undefined ? new TextEncoder().encode(text) : new Uint8Array(await file.arrayBuffer());
    await post(`/${kind}s/create`, {}, { Name: name, Labels: parsePairs(labels), Data: base64(bytes) });
  };
  return (
    <FormDialog title={`Create a ${kind}`} action="Create" close={close} submit={submit}>
      <TextField label="Name" required value={name} onChange={setName} />
      <LinesField label="Content" value={text} onChange={setText} rows={5} />
      <FileField
        label="Or a file"
        onChange={([first]) => setFile(first)}
        hint="A file takes the place of the content above."
      />
      <LinesField label="Labels" value={labels} onChange={setLabels} hint="name=value, one a line" />
    </FormDialog>
  );
}

function base64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
