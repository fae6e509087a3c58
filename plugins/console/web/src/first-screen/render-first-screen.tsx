// Runs in the daemon, which loads the bundle that the build makes of it.
import { options } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { Frame } from '../app/frame';
import { session } from '../session/session';
import { type FirstScreenData, firstScreenData, type ListedContainer } from './first-screen-data';

/** What is put into the document. */
interface FirstScreen {
  /** For a style element: the policy of the pages allows no styles in attributes of a document. */
  readonly styles: string;
  readonly html: string;
  /** Makes JSON for a script element, while the screen is on its way. */
  readonly data: () => string;
}

type Styles = Readonly<Record<string, string>>;

let rules: string[] = [];

options.vnode = ({ type, props }) => {
  const { style, class: name } = props as { style?: Styles; class?: string };
  if (typeof type !== 'string' || style === undefined) return;
  const own = `first-${rules.length}`;
  const declarations = Object.entries(style).map(([property, value]) => `${property}:${value}`);
  rules.push(`.${own}{${declarations.join(';')}}`);
  Object.assign(props, { style: undefined, class: name === undefined ? own : `${name} ${own}` });
};

/** Renders the frame with the list of containers as the browser will, which then takes it over. */
export function renderFirstScreen({ user, since, containers }: FirstScreenData): FirstScreen {
  rules = [];
  firstScreenData.set({ user, since, ...(containers && { containers }) });
  session.set({ state: 'signed-in', user, since });
  try {
    const html = containers === undefined ? '' : renderToString(<Frame />);
    const data = () => JSON.stringify({ user, since, containers: containers?.map(project) });
    // No name may end the element.
    return { styles: rules.join(''), html, data: () => data().replaceAll('<', '\\u003c') };
  } finally {
    firstScreenData.set(undefined);
    session.set({ state: 'unknown' });
  }
}

function project({ Id, Names, Image, State, Status, Created, Ports, Labels }: ListedContainer): ListedContainer {
  return { Id, Names, Image, State, Status, Created, Ports, Labels };
}
