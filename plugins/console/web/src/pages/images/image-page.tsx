import type { ContainerSummary } from '../../api/container-types';
import { type ImageDetails, type ImageSummary, imagePath, tagsOf } from '../../api/image-types';
import { filters, get, urlOf } from '../../api/request';
import { saveUrl } from '../../api/save-blob';
import { Button } from '../../components/button';
import { openDialog } from '../../components/dialog';
import { JsonView } from '../../components/json-view';
import { PageHeader } from '../../components/page-header';
import { Loaded } from '../../components/status-views';
import { Tabs } from '../../components/tabs';
import { useResource } from '../../events/use-resource';
import { shortId } from '../../format/short-id';
import { attempt } from '../../notices/notices';
import { goTo, pathTo } from '../../routing/route';
import { askImageRemoval, removeImage } from './image-actions';
import { ImageHistory } from './image-history';
import { ImageOverview } from './image-overview';
import { PushDialog } from './push-dialog';
import { TagDialog } from './tag-dialog';

const tabs: readonly (readonly [path: string, name: string])[] = [
  ['overview', 'Overview'],
  ['history', 'History'],
  ['inspect', 'Inspect'],
];

interface ImageView {
  readonly image: ImageDetails;
  readonly users: readonly ContainerSummary[];
  /** What no other image shares. */
  readonly own: number;
}

async function readImage(id: string, signal: AbortSignal): Promise<ImageView> {
  const image = await get<ImageDetails>(`${imagePath(id)}/json`, undefined, signal);
  const [containers, images] = await Promise.all([
    get<ContainerSummary[]>('/containers/json', { all: true, filters: filters({ ancestor: [image.Id] }) }, signal),
    get<ImageSummary[]>('/images/json', { 'shared-size': true }, signal),
  ]);
  const shared = images.find(({ Id }) => Id === image.Id)?.SharedSize ?? 0;
  return {
    image,
    users: containers.filter(({ ImageID }) => ImageID === image.Id),
    own: image.Size - Math.max(0, shared),
  };
}

export function ImagePage({ id, tab }: { readonly id: string; readonly tab: string }) {
  const [view, reload] = useResource((signal) => readImage(id, signal), [id], ['image', 'container']);
  const back = { href: pathTo('images'), name: 'Images' };
  const current = tabs.find(([path]) => path === tab)?.[1] ?? '';
  const title = view.state === 'ready' ? (tagsOf(view.value.image)[0] ?? shortId(id)) : shortId(id);
  return (
    <>
      <PageHeader title={title} back={back}>
        {view.state === 'ready' && <ImageButtons view={view.value} />}
      </PageHeader>
      <Tabs
        label="Parts of the image"
        current={current}
        tabs={tabs.map(([path, name]) => ({ name, href: pathTo('images', id, path) }))}
      />
      <Loaded what="the image" resource={view} reload={reload}>
        {({ image, users, own }) => {
          if (tab === 'history') return <ImageHistory id={image.Id} />;
          if (tab === 'inspect') return <JsonView value={image} name={shortId(image.Id)} />;
          return <ImageOverview image={image} users={users} own={own} />;
        }}
      </Loaded>
    </>
  );
}

function ImageButtons({ view }: { readonly view: ImageView }) {
  const { image, own } = view;
  const tags = tagsOf(image);
  const name = tags[0] ?? shortId(image.Id);
  const dispose = async (): Promise<void> => {
    const how = await askImageRemoval(name, own);
    if (how === undefined) return;
    const removed = await attempt(`Removing ${name}`, () => removeImage(image.Id, how.force), `Removed ${name}.`);
    if (removed) goTo('images');
  };
  const save = (): void =>
    saveUrl(urlOf('/api/images/get', { names: tags[0] ?? image.Id }), `${shortId(image.Id)}.tar`);
  return (
    <>
      <a class="button primary" href={`${pathTo('containers', 'create')}?image=${encodeURIComponent(name)}`}>
        Create a container…
      </a>
      <Button onPress={() => openDialog((close) => <TagDialog id={image.Id} close={close} />)}>Tag…</Button>
      <Button
        disabled={tags.length === 0}
        onPress={() => openDialog((close) => <PushDialog tags={tags} close={close} />)}
      >
        Push…
      </Button>
      <Button onPress={save}>Save</Button>
      <Button kind="danger" onPress={dispose}>
        Remove…
      </Button>
    </>
  );
}
