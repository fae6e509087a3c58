import { useRoute } from '../../routing/route';
import { PluginList } from './plugin-list';
import { PluginPage } from './plugin-page';

export function PluginPages() {
  const [, name] = useRoute().segments;
  return name === undefined ? <PluginList /> : <PluginPage key={name} name={name} />;
}
