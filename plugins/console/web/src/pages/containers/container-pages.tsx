import { useRoute } from '../../routing/route';
import { ContainerList } from './container-list';
import { ContainerPage } from './container-page';
import { CreatePage } from './create/create-page';

export function ContainerPages() {
  const [, id, tab = 'overview'] = useRoute().segments;
  if (id === undefined) return <ContainerList />;
  if (id === 'create') return <CreatePage />;
  return <ContainerPage key={id} id={id} tab={tab} />;
}
