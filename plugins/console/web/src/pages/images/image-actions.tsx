import { imagePath } from '../../api/image-types';
import { remove } from '../../api/request';
import { confirm } from '../../components/confirm';
import { formatBytes } from '../../format/format-bytes';

export const removeImage = (name: string, force: boolean): Promise<void> => remove(imagePath(name), { force });

/** @param freed bytes that only this image holds */
export const askImageRemoval = (what: string, freed: number | undefined): Promise<{ force: boolean } | undefined> =>
  confirm({
    title: `Remove ${what.slice(0, 80)}?`,
    body: freed === undefined ? undefined : <p>Removing the image would free {formatBytes(freed)}.</p>,
    action: 'Remove',
    options: { force: 'Also when it has several tags or stopped containers use it (force)' },
  });
