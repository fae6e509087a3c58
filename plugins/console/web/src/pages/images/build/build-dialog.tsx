import { useState } from 'preact/hooks';
import { createTar } from '../../../archive/tar-writer';
import { CheckField, FileField, LinesField, TextField } from '../../../components/fields';
import { formatBytes } from '../../../format/format-bytes';
import { parsePairs } from '../../../format/parse-lines';
import { plural } from '../../../format/plural';
import { runTransfer } from '../../../transfer/run-transfer';
import { TransferDialog } from '../../../transfer/transfer-dialog';
import { buildContext } from './build-context';

export function BuildDialog({ close }: { readonly close: () => void }) {
  const [files, setFiles] = useState<readonly File[]>([]);
  const [text, setText] = useState('');
  const [tag, setTag] = useState('');
  const [dockerfile, setDockerfile] = useState('Dockerfile');
  const [target, setTarget] = useState('');
  const [args, setArgs] = useState('');
  const [fresh, setFresh] = useState(false);
  const [pull, setPull] = useState(false);
  return (
    <TransferDialog
      title="Build an image"
      action="Build"
      close={close}
      run={async (show, signal) => {
        if (files.length === 0 && text.trim() === '') throw new Error('choose a context or write a Dockerfile first');
        const written = { path: dockerfile || 'Dockerfile', content: new Blob([text]) };
        const content = files.length === 0 ? createTar([written]) : buildContext(files);
        const query = {
          t: tag.trim() || undefined,
          dockerfile: dockerfile || undefined,
          target: target || undefined,
          buildargs: JSON.stringify(parsePairs(args)),
          nocache: fresh,
          pull: pull || undefined,
          rm: true,
        };
        await runTransfer('/build', { query, content, signal }, show);
      }}
    >
      <div class="columns">
        <FileField label="Context: a directory" directory onChange={setFiles} />
        <FileField label="Or some files" multiple onChange={setFiles} />
      </div>
      <p class="hint">
        {plural(files.length, 'file')}, {formatBytes(files.reduce((sum, { size }) => sum + size, 0))}
      </p>
      {files.length === 0 && (
        <LinesField
          label="Or a Dockerfile without a context"
          rows={6}
          value={text}
          onChange={setText}
          placeholder="FROM busybox"
        />
      )}
      <div class="columns">
        <TextField label="Tag" placeholder="name:tag" value={tag} onChange={setTag} />
        <TextField label="Path of the Dockerfile" value={dockerfile} onChange={setDockerfile} />
        <TextField label="Target stage" placeholder="the last one" value={target} onChange={setTarget} />
      </div>
      <LinesField label="Build arguments" hint="One a line: NAME=value" value={args} onChange={setArgs} />
      <CheckField label="Do not use the cache" value={fresh} onChange={setFresh} />
      <CheckField label="Pull newer base images" value={pull} onChange={setPull} />
    </TransferDialog>
  );
}
