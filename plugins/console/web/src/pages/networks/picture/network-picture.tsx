import { useId } from 'preact/hooks';
import { pathTo } from '../../../routing/route';
import type { Box, Layout } from './picture-layout';

const width = 760;
const boxWidth = 200;
const boxHeight = 42;
const containerLeft = 400;

const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length - 1)}…` : text);

/** Which container is on which network; the table below it says the same in words. */
export function NetworkPicture({ layout }: { readonly layout: Layout }) {
  const title = useId();
  const { height, networks, containers, lines } = layout;
  return (
    <svg class="picture" viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-labelledby={title}>
      <title id={title}>Networks and their containers; the table below has the same in words</title>
      {lines.map(({ network, container, address }) => {
        const [from, to] = [network.y + boxHeight / 2, container.y + boxHeight / 2];
        const middle = (boxWidth + containerLeft) / 2;
        return (
          <g key={`${network.id} ${container.id}`}>
            <path class="wire" d={`M${boxWidth} ${from} C${middle} ${from} ${middle} ${to} ${containerLeft} ${to}`} />
            <text class="address" x={containerLeft - 6} y={to - 4} text-anchor="end">
              {address}
            </text>
          </g>
        );
      })}
      {networks.map((box) => (
        <BoxView key={box.id} box={box} x={0} kind="network" href={pathTo('networks', box.id)} />
      ))}
      {containers.map((box) => (
        <g key={box.id}>
          <BoxView box={box} x={containerLeft} kind="container" href={pathTo('containers', box.id)} />
          <text class="ports" x={containerLeft + boxWidth + 8} y={box.y + boxHeight / 2 + 4}>
            {cut(box.ports, 24)}
          </text>
        </g>
      ))}
    </svg>
  );
}

interface BoxViewProps {
  readonly box: Box;
  readonly x: number;
  readonly kind: 'network' | 'container';
  readonly href: string;
}

function BoxView({ box, x, kind, href }: BoxViewProps) {
  return (
    <a href={href}>
      <rect class={`node ${kind}`} x={x + 1} y={box.y} width={boxWidth - 2} height={boxHeight} rx="6" />
      <text class="name" x={x + 12} y={box.y + 18} direction="ltr">
        {cut(box.name, 24)}
      </text>
      <text class="detail" x={x + 12} y={box.y + 34}>
        {cut(box.detail, 28)}
      </text>
    </a>
  );
}
