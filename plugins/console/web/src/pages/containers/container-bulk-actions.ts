import { nameOf } from '../../api/container-types';
import { runOnAll } from '../../components/run-on-all';
import type { BulkAction } from '../../components/table/table-types';
import type { ListedContainer } from '../../first-screen/first-screen-data';
import { plural } from '../../format/plural';
import { askRemoval } from './ask-removal';
import { removeContainer, runVerb, type Verb, verbs } from './container-actions';

const bulk = (verb: Verb): BulkAction<ListedContainer> => ({
  name: verb.name,
  run: (rows) => runOnAll(verb.name, 'container', rows, nameOf, ({ Id }) => runVerb(verb, Id)),
});

const removeAll = async (rows: readonly ListedContainer[]): Promise<void> => {
  const how = await askRemoval(
    rows.length === 1 && rows[0] !== undefined ? nameOf(rows[0]) : plural(rows.length, 'container'),
  );
  if (how === undefined) return;
  await runOnAll('Remove', 'container', rows, nameOf, ({ Id }) => removeContainer(Id, how.force, how.volumes));
};

export const containerBulkActions: readonly BulkAction<ListedContainer>[] = [
  ...Object.values(verbs).map(bulk),
  { name: 'Remove…', run: removeAll, danger: true },
];
