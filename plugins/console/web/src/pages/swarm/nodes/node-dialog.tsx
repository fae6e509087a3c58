import { useState } from 'preact/hooks';
import { LinesField, SelectField } from '../../../components/fields';
import { FormDialog } from '../../../components/form-dialog';
import { parsePairs } from '../../../format/parse-lines';
import type { SwarmNode } from '../swarm-types';
import { nodeName, updateNode } from './node-actions';

export function NodeDialog({ node, close }: { readonly node: SwarmNode; readonly close: () => void }) {
  const [availability, setAvailability] = useState(node.Spec.Availability);
  const [role, setRole] = useState(node.Spec.Role);
  const [labels, setLabels] = useState(
    Object.entries(node.Spec.Labels ?? {})
      .map(([name, value]) => `${name}=${value}`)
      .join('\n'),
  );
  return (
    <FormDialog
      title={`Node ${nodeName(node).slice(0, 60)}`}
      action="Save"
      close={close}
      submit={() => updateNode(node, { Availability: availability, Role: role, Labels: parsePairs(labels) })}
    >
      <SelectField
        label="Availability"
        value={availability}
        onChange={setAvailability}
        options={[
          ['active', 'active: gets tasks'],
          ['pause', 'pause: gets no new tasks'],
          ['drain', 'drain: its tasks move to other nodes'],
        ]}
      />
      <SelectField label="Role" value={role} onChange={setRole} options={['worker', 'manager']} />
      <LinesField label="Labels" value={labels} onChange={setLabels} hint="name=value, one a line" />
    </FormDialog>
  );
}
