import { useRoute } from '../../routing/route';
import { ImageList } from './image-list';
import { ImagePage } from './image-page';

export function ImagePages() {
  const [, id, tab = 'overview'] = useRoute().segments;
  return id === undefined ? <ImageList /> : <ImagePage key={id} id={id} tab={tab} />;
}
