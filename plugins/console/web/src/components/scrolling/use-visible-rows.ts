import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { firstRows, firstScreenData } from '../../first-screen/first-screen-data';

const beyond = 12;

interface VisibleRows {
  readonly box: RefObject<HTMLDivElement>;
  readonly first: number;
  readonly end: number;
}

/** Which of many rows of one height a scrolling box shows, and some beyond both of its edges. */
export function useVisibleRows(count: number, rowHeight: number): VisibleRows {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState(() => ({ top: 0, rows: rowsAtFirst(rowHeight) }));
  const [margin, setMargin] = useState(0);

  // After the first frame, which is there earlier with the rows in sight alone.
  useEffect(() => setMargin(beyond), []);

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = (): void => {
      const top = Math.floor(element.scrollTop / rowHeight);
      setView((old) => {
        const rows = Math.max(old.rows, Math.ceil(element.clientHeight / rowHeight) + 1);
        const isNear = top === old.top || (Math.abs(old.top - top) < beyond / 2 && top > 0);
        return isNear && old.rows === rows ? old : { top, rows };
      });
    };
    // What scrolls must be reached by the keyboard.
    element.tabIndex = 0;
    element.addEventListener('scroll', measure, { passive: true });
    // It is called at once, too, when the layout is known anyway.
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', measure);
      observer.disconnect();
    };
  }, [rowHeight]);

  const top = Math.max(0, Math.min(view.top, count - view.rows));
  return { box, first: Math.max(0, top - margin), end: Math.min(count, top + view.rows + margin) };
}

/** What the document has already is taken over as it is. */
const rowsAtFirst = (rowHeight: number): number =>
  firstScreenData.get() === undefined ? Math.ceil(innerHeight / rowHeight) : firstRows;
