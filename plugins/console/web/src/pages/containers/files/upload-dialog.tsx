import { useState } from 'preact/hooks';
import { FileField } from '../../../components/fields';
import { FormDialog } from '../../../components/form-dialog';
import { formatBytes } from '../../../format/format-bytes';
import { plural } from '../../../format/plural';
import { notify } from '../../../notices/notices';
import { uploadFiles } from './transfer-files';

interface UploadDialogProps {
  readonly id: string;
  readonly path: string;
  readonly done: () => void;
  readonly close: () => void;
}

export function UploadDialog({ id, path, done, close }: UploadDialogProps) {
  const [files, setFiles] = useState<readonly File[]>([]);
  const submit = async (): Promise<void> => {
    if (files.length === 0) throw new Error('choose a file first');
    await uploadFiles(id, path, files);
    notify('done', `Uploaded ${plural(files.length, 'file')} to ${path}.`);
    done();
  };
  return (
    <FormDialog title={`Upload to ${path.slice(0, 60)}`} action="Upload" close={close} submit={submit}>
      <FileField label="Files" multiple onChange={setFiles} />
      <FileField label="Or a directory" directory onChange={setFiles} />
      <p class="hint">
        {plural(files.length, 'file')}, {formatBytes(files.reduce((sum, { size }) => sum + size, 0))}. Files of the same
        name are replaced.
      </p>
    </FormDialog>
  );
}
