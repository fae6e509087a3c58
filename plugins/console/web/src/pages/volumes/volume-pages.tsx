import { useRoute } from '../../routing/route';
import { VolumeList } from './volume-list';
import { VolumePage } from './volume-page';

export function VolumePages() {
  const [, name] = useRoute().segments;
  return name === undefined ? <VolumeList /> : <VolumePage key={name} name={name} />;
}
