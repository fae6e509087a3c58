import { ContainerList } from '../pages/containers/container-list';
import { useRoute } from '../routing/route';
import { OtherPage } from './other-page';

export function CurrentPage() {
  const [name = 'containers', id] = useRoute().segments;
  return name === 'containers' && id === undefined ? <ContainerList /> : <OtherPage key={name} name={name} />;
}
