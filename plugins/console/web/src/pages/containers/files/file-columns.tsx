import type { TarEntry } from '../../../archive/tar-reader';
import { Button } from '../../../components/button';
import type { Column } from '../../../components/table/table-types';
import { Text } from '../../../components/text';
import { formatBytes } from '../../../format/format-bytes';
import { formatTime } from '../../../format/format-time';
import { attempt } from '../../../notices/notices';
import { downloadArchive, downloadFile } from './transfer-files';

const join = (directory: string, name: string): string => `${directory.replace(/\/+$/, '')}/${name}`;

function modeText(mode: number): string {
  return [6, 3, 0]
    .map((at) => ['r', 'w', 'x'].map((bit, place) => ((mode >> at) & (4 >> place) ? bit : '-')).join(''))
    .join('');
}

export function fileColumns(id: string, directory: string, open: (name: string) => void): readonly Column<TarEntry>[] {
  return [
    {
      title: 'Name',
      width: 3,
      sort: ({ kind, path }) => (kind === 'directory' ? `0 ${path}` : `1 ${path}`),
      cell: (entry) => <FileName entry={entry} open={open} />,
    },
    { title: 'Size', sort: ({ size }) => size, cell: ({ kind, size }) => (kind === 'file' ? formatBytes(size) : '') },
    { title: 'Mode', cell: ({ mode }) => <code>{modeText(mode)}</code> },
    { title: 'Changed', width: 1.5, sort: ({ modified }) => modified, cell: ({ modified }) => formatTime(modified) },
    {
      title: 'Action',
      cell: (entry) => {
        const path = join(directory, entry.path);
        const download = async (): Promise<void> => {
          if (entry.kind === 'file')
            await attempt(`Downloading ${entry.path}`, () => downloadFile(id, path, entry.path, entry.size));
          else downloadArchive(id, path, entry.path);
        };
        return (
          <Button label={`Download ${entry.path.slice(0, 100)}`} onPress={download}>
            Download
          </Button>
        );
      },
    },
  ];
}

function FileName({ entry, open }: { readonly entry: TarEntry; readonly open: (name: string) => void }) {
  if (entry.kind === 'directory') {
    return (
      <button type="button" class="link" onClick={() => open(entry.path)}>
        <Text value={`${entry.path}/`} />
      </button>
    );
  }
  return <Text value={entry.target === '' ? entry.path : `${entry.path} → ${entry.target}`} />;
}
