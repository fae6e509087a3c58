import { ContainerList } from '../pages/containers/container-list';
import { isFirstPage, useRoute } from '../routing/route';
import { OtherPage } from './other-page';

export function CurrentPage() {
  const route = useRoute();
  const [name = 'containers'] = route.segments;
  return isFirstPage(route) ? <ContainerList /> : <OtherPage key={name} name={name} />;
}
