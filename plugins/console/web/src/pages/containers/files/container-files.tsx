import { useMemo, useState } from 'preact/hooks';
import type { ContainerDetails } from '../../../api/container-types';
import type { TarEntry } from '../../../archive/tar-reader';
import { Button } from '../../../components/button';
import { openDialog } from '../../../components/dialog';
import { TextField } from '../../../components/fields';
import { Loaded } from '../../../components/status-views';
import { VirtualTable } from '../../../components/table/virtual-table';
import { useResource } from '../../../events/use-resource';
import { formatBytes } from '../../../format/format-bytes';
import { listingBound, readDirectory } from './directory';
import { fileColumns } from './file-columns';
import { downloadArchive } from './transfer-files';
import { UploadDialog } from './upload-dialog';

const nameOf = (entry: TarEntry): string => entry.path;
const join = (directory: string, name: string): string => `${directory.replace(/\/+$/, '')}/${name}`;

export function ContainerFiles({ container }: { readonly container: ContainerDetails }) {
  const start = container.Config.WorkingDir || '/';
  const [path, setPath] = useState(start);
  const [typed, setTyped] = useState(start);
  const { Id } = container;
  const [directory, reload] = useResource((signal) => readDirectory(Id, path, signal), [Id, path], []);
  const go = (next: string): void => {
    setPath(next);
    setTyped(next);
  };
  const columns = useMemo(() => fileColumns(Id, path, (name) => go(join(path, name))), [Id, path]);
  const upload = () => openDialog((close) => <UploadDialog id={Id} path={path} done={reload} close={close} />);
  return (
    <>
      <form
        class="toolbar log-tools"
        onSubmit={(event) => {
          event.preventDefault();
          go(typed.startsWith('/') ? typed : `/${typed}`);
        }}
      >
        <TextField label="Directory" value={typed} onChange={setTyped} />
        <button type="submit" class="button plain">
          Show
        </button>
        <Button disabled={path === '/'} onPress={() => go(path.replace(/\/+$/, '').replace(/\/[^/]*$/, '') || '/')}>
          Up
        </Button>
        <Button onPress={reload}>Read again</Button>
        <Button onPress={upload}>Upload…</Button>
        <Button onPress={() => downloadArchive(Id, path, path.split('/').at(-1) ?? '')}>Download all as tar</Button>
      </form>
      <Loaded what="the directory" resource={directory} reload={reload}>
        {({ entries, isPartial }) => (
          <>
            {isPartial && (
              <p class="stale" role="status">
                The list is incomplete: the directory's archive is larger than the {formatBytes(listingBound)} that are
                read of it. Go to a directory below it by its path.
              </p>
            )}
            <VirtualTable
              key={path}
              label="files"
              rows={entries}
              id={nameOf}
              columns={columns}
              text={nameOf}
              rowName={nameOf}
              empty={isPartial ? 'No file came within the part that was read.' : 'The directory is empty.'}
            />
          </>
        )}
      </Loaded>
    </>
  );
}
