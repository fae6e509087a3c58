import { useRoute } from '../../routing/route';
import { NetworkList } from './network-list';
import { NetworkPage } from './network-page';
import { NetworkPicturePage } from './picture/network-picture-page';

export function NetworkPages() {
  const [, id] = useRoute().segments;
  if (id === undefined) return <NetworkList />;
  return id === 'picture' ? <NetworkPicturePage /> : <NetworkPage key={id} id={id} />;
}
