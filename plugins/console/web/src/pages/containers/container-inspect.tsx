import type { ContainerDetails } from '../../api/container-types';
import { JsonView } from '../../components/json-view';

export function ContainerInspect({ container }: { readonly container: ContainerDetails }) {
  return <JsonView value={container} name={container.Name.replace(/^\//, '').slice(0, 80)} />;
}
