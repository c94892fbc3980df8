/** Two drawings beside each other, moved as one, with what differs marked in both and told in words below. */
import 'bpmn-js/dist/assets/diagram-js.css';
import 'bpmn-js/dist/assets/bpmn-js.css';
import '../diagram.css';
import './compare.css';
import { ArrowDownOutlined, ArrowUpOutlined } from '@ant-design/icons';
import { Alert } from 'antd';
import { type ReactNode, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from '@/i18n';
import { EmptyState, PageSkeleton } from '@/kit/states';
import { type Canvas, type Events, lookAt } from '../canvas';
import { type Diagram, useDiagram } from '../useDiagram';
import { Tool, ZoomTools } from '../ZoomTools';
import { DifferenceList } from './DifferenceList';
import { compare, type Kind } from './diff';
import { choose, mark, moveTogether, SIGNS } from './marks';
import type { Drawing } from './read';
import { useWords } from './words';

const KINDS = ['added', 'removed', 'changed', 'moved'] as const satisfies readonly Kind[];
const NEXT = 'N';
const PREVIOUS = 'P';
const NOTHING: Drawing = new Map();

function Pane({ title, diagram }: { title: ReactNode; diagram: Diagram }) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <section className="x-compare-pane" aria-labelledby={id}>
      <h2 id={id} className="x-two">
        {title}
      </h2>
      {diagram.failed && <Alert type="error" showIcon title={t('work.diagram.failed')} />}
      <div ref={diagram.frame} className="x-compare-frame x-paper" />
    </section>
  );
}

/** N and P, unless somebody types. */
function useKeys(step: (by: 1 | -1) => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (target.closest('input, textarea, select, [contenteditable]')) return;
      const by = { [NEXT]: 1, [PREVIOUS]: -1 }[event.key.toUpperCase()] as 1 | -1 | undefined;
      if (!by) return;
      event.preventDefault();
      step(by);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [step]);
}

interface CompareProps {
  /** The earlier one, or theirs; and what it is. */
  before: string;
  beforeTitle: ReactNode;
  /** The later one, or mine. */
  after: string;
  afterTitle: ReactNode;
}

export function Compare({ before, beforeTitle, after, afterTitle }: CompareProps) {
  const { t } = useTranslation();
  const [old, now] = [useDiagram(before), useDiagram(after)];
  const [one, other] = [old.shown, now.shown];
  const differences = useMemo(
    () => (one && other ? compare(one.drawing, other.drawing) : undefined),
    [one, other],
  );
  const words = useWords(other?.drawing ?? NOTHING, one?.drawing ?? NOTHING);
  const [chosen, setChosen] = useState(-1);
  const list = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (one && other) moveTogether(one.viewer, other.viewer);
  }, [one, other]);
  useEffect(() => {
    if (!one || !other || !differences) return;
    setChosen(-1);
    const word = (kind: Kind) => t(`compare.kind.${kind}`);
    const marks = [mark(one.viewer, differences, word), mark(other.viewer, differences, word)];
    for (const { viewer } of [one, other]) {
      viewer.get<Events>('eventBus').on('element.click', ({ element }) => {
        const id = element?.labelTarget?.id ?? element?.id;
        const index = differences.findIndex(({ part }) => part.id === id);
        if (index >= 0) setChosen(index);
      });
    }
    return () => {
      for (const takeOff of marks) takeOff();
    };
  }, [one, other, differences, t]);

  const difference = differences?.[chosen];
  useEffect(() => {
    if (!difference || !one || !other) return;
    const { id } = difference.part;
    if (!lookAt(other.viewer, id)) lookAt(one.viewer, id);
    for (const { viewer } of [one, other]) choose(viewer, id);
    list.current?.querySelector('[aria-current="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [difference, one, other]);

  const count = differences?.length ?? 0;
  const step = useCallback(
    (by: 1 | -1) => {
      if (count > 0)
        setChosen((index) => (index < 0 ? (by > 0 ? 0 : count - 1) : (index + by + count) % count));
    },
    [count],
  );
  useKeys(step);

  const failed = old.failed || now.failed;
  return (
    <div className="x-compare">
      <div className="x-compare-bar">
        <ul className="x-compare-legend">
          {KINDS.map((kind) => (
            <li key={kind}>
              <span className={`x-compare-sign x-compare-sign-${kind}`} aria-hidden>
                {SIGNS[kind]}
              </span>
              {t(`compare.kind.${kind}`)} {differences?.filter((each) => each.kind === kind).length ?? '-'}
            </li>
          ))}
        </ul>
        <div className="x-diagram-tools">
          <Tool
            label={t('compare.previous')}
            icon={<ArrowUpOutlined />}
            keyName={PREVIOUS}
            disabled={count === 0}
            onClick={() => step(-1)}
          />
          <Tool
            label={t('compare.next')}
            icon={<ArrowDownOutlined />}
            keyName={NEXT}
            disabled={count === 0}
            onClick={() => step(1)}
          />
          <ZoomTools canvas={() => (other ?? one)?.viewer.get<Canvas>('canvas')} />
        </div>
      </div>
      <p className="x-sr" role="status">
        {difference && t('compare.at', { n: chosen + 1, of: count, what: words.line(difference) })}
      </p>
      <div className="x-compare-panes">
        <Pane title={beforeTitle} diagram={old} />
        <Pane title={afterTitle} diagram={now} />
      </div>
      <div ref={list}>
        {!differences && !failed && <PageSkeleton rows={3} />}
        {differences?.length === 0 && <EmptyState title={t('compare.same')} hint={t('compare.sameHint')} />}
        {differences && differences.length > 0 && (
          <DifferenceList differences={differences} words={words} chosen={chosen} onChoose={setChosen} />
        )}
      </div>
    </div>
  );
}
