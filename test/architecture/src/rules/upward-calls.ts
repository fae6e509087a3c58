import ts from 'typescript';
import type { Rule } from '../rule.js';
import type { SourceFile } from '../tree.js';

/** What an area registers that does work, with the reason why the work cannot move to that area. */
const exceptions: Readonly<Record<string, string>> = {
  'LoggedContainers.rotateSpool': 'the runtime of a container rotates its spool, when the log has been written',
  'SwarmNetworks.create': 'one route creates networks of nodes and of the swarm; the driver decides which it is',
  'SwarmNetworks.remove': 'one route removes networks of nodes and of the swarm',
  'SwarmNode.attach': 'a container that starts gets its address from the records of the swarm',
  'SwarmNode.detach': 'a container that exits releases it there',
  'SwarmNode.nodesOn': 'a question that only the leader of the swarm answers',
  'SwarmNode.joined': 'virtual addresses have to be there before anything runs in the sandbox',
};

type Declarations = ReadonlyMap<string, readonly ts.TypeElement[]>;

const isInterface = (node: ts.Node): node is ts.InterfaceDeclaration => ts.isInterfaceDeclaration(node);

const interfacesOf = (files: readonly SourceFile[]): Declarations =>
  new Map(
    files.flatMap((file) => file.syntax.statements.filter(isInterface).map((each) => [each.name.text, each.members])),
  );

/** Whether the result of a call is not there at once: a promise or a stream. */
const isWork = (type: ts.TypeNode | undefined): boolean =>
  /^(?:Promise|AsyncIterable|AsyncGenerator|Readable)\b/.test(type?.getText() ?? '');

const resultOf = (member: ts.TypeElement): ts.TypeNode | undefined => {
  if (ts.isMethodSignature(member)) return member.type;
  if (!ts.isPropertySignature(member) || member.type === undefined) return undefined;
  return ts.isFunctionTypeNode(member.type) ? member.type.type : undefined;
};

/** The operations of a type that is registered with a service, as `Type.method`. */
function operationsOf(type: ts.TypeNode | undefined, interfaces: Declarations): string[] {
  if (type === undefined) return [];
  if (ts.isFunctionTypeNode(type)) return isWork(type.type) ? [type.getText()] : [];
  if (!ts.isTypeReferenceNode(type)) return [];
  const name = type.typeName.getText();
  return (interfaces.get(name) ?? [])
    .filter((member) => isWork(resultOf(member)))
    .map((member) => `${name}.${member.name?.getText()}`);
}

export const registeredPartsOnlyAnswer: Rule = {
  title: 'what an area registers with another one answers questions: operations go from the upper area to the lower',
  check: ({ packages, sources }) =>
    packages
      .filter(({ role }) => role === 'plugin')
      .flatMap((owner) => {
        const files = sources.filter((file) => file.package === owner && !file.isTest);
        const service = files.find(({ path }) => path === `${owner.folder}/src/service.ts`);
        if (service === undefined) return [];
        const interfaces = interfacesOf(files);
        return service.syntax.statements
          .filter(isInterface)
          .flatMap(({ members }) => [...members])
          .filter(ts.isMethodSignature)
          .filter(({ name }) => /^add[A-Z]/.test(name.getText()))
          .flatMap(({ parameters }) => parameters.flatMap(({ type }) => operationsOf(type, interfaces)))
          .filter((operation) => exceptions[operation] === undefined)
          .map((operation) => `${service.path}: ${operation} lets this area start work in the area that registers it`);
      }),
};
