import { useRoute } from '../../routing/route';
import { ContainerPage } from './container-page';
import { CreatePage } from './create/create-page';

/** The pages of single containers; the list of all is the first page of the console. */
export function ContainerPages() {
  const [, id = 'create', tab = 'overview'] = useRoute().segments;
  return id === 'create' ? <CreatePage /> : <ContainerPage key={id} id={id} tab={tab} />;
}
