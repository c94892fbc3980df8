/** The live diagram: where the process has been, where it stands and with whom. Loaded only when somebody looks at it. */
import 'bpmn-js/dist/assets/diagram-js.css';
import 'bpmn-js/dist/assets/bpmn-js.css';
import './diagram.css';
import { AimOutlined, ExpandOutlined, ZoomInOutlined, ZoomOutOutlined } from '@ant-design/icons';
import { Alert, Button, Tooltip } from 'antd';
import Viewer from 'bpmn-js/lib/NavigatedViewer';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Wire } from '@/api/wire';
import { useLanguage, useTranslation } from '@/i18n';
import { ErrorState, PageSkeleton } from '@/kit/states';
import { COLOURS, type Element, prepare } from './diagram';
import { Parked } from './Parked';
import { useModelView } from './queries';

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Canvas {
  zoom(level: number | 'fit-viewport', center?: 'auto'): number;
  zoom(): number;
  viewbox(box?: Box): Box & { outer: Box };
}

interface Shape extends Box {
  id: string;
  type: string;
}

interface Registry {
  get(id: string): Shape | undefined;
}

interface Overlays {
  add(element: string, overlay: object): void;
}

interface Events {
  on(event: string, listener: (event: { elementsById?: Record<string, Element> }) => void): void;
}

/** Below this scale nobody can read the steps: then the place where it stands is worth more than the whole. */
const READABLE = 0.45;
const CLOSE = 0.85;
const STEP = 1.25;
const [SMALLEST, LARGEST] = [0.2, 3];

const ALWAYS = { show: { minZoom: 0, maxZoom: 5 }, scale: { min: 0.6, max: 1.2 } };

function label(text: string, className: string): HTMLElement {
  const element = document.createElement('div');
  element.className = className;
  element.textContent = text;
  return element;
}

function mark(viewer: Viewer, view: Wire<'ModelView'>, passed: (n: number) => string): void {
  const shapes = viewer.get<Registry>('elementRegistry');
  const overlays = viewer.get<Overlays>('overlays');
  for (const [id, count] of Object.entries(view.done)) {
    // Gateways and events pass their count on to the steps beside them.
    if (count < 2 || !shapes.get(id)?.type.endsWith('Task')) continue;
    const badge = label(`×${count}`, 'x-diagram-times');
    badge.title = passed(count);
    overlays.add(id, { ...ALWAYS, position: { top: -12, right: 14 }, html: badge });
  }
  for (const { node, assigneeName } of view.open) {
    if (!assigneeName || !shapes.get(node)) continue;
    overlays.add(node, {
      ...ALWAYS,
      position: { bottom: -4, left: 0 },
      html: label(assigneeName, 'x-diagram-who'),
    });
  }
}

/** The whole, with a little air: the browser's own fit cuts the outermost lines. Returns the scale. */
function showAll(canvas: Canvas): number {
  return canvas.zoom(canvas.zoom('fit-viewport', 'auto') * 0.95, 'auto');
}

function lookAt(viewer: Viewer, node: string | undefined): void {
  const shape = node && viewer.get<Registry>('elementRegistry').get(node);
  if (!shape) return;
  const canvas = viewer.get<Canvas>('canvas');
  const { outer } = canvas.viewbox();
  const [width, height] = [outer.width / CLOSE, outer.height / CLOSE];
  canvas.viewbox({
    x: shape.x + shape.width / 2 - width / 2,
    y: shape.y + shape.height / 2 - height / 2,
    width,
    height,
  });
}

/** Draws the model into `frame` anew for every change of state or language, and keeps where one had looked. */
function useViewer(view: Wire<'ModelView'> | undefined) {
  const { t } = useTranslation();
  const language = useLanguage();
  const frame = useRef<HTMLDivElement>(null);
  const kept = useRef<Viewer>(undefined);
  const box = useRef<Box>(undefined);
  const [failed, setFailed] = useState(false);

  useEffect(() => {
    if (!view || !frame.current) return;
    const viewer = new Viewer({
      container: frame.current,
      bpmnRenderer: { defaultLabelColor: '#1b2530' },
      // The wheel belongs to the page round the diagram.
      zoomScroll: { enabled: false },
    } as ConstructorParameters<typeof Viewer>[0]);
    kept.current = viewer;
    let gone = false;
    viewer.get<Events>('eventBus').on('import.parse.complete', ({ elementsById }) => {
      if (elementsById) prepare(Object.values(elementsById), view, language);
    });
    viewer
      .importXML(view.xml)
      .then(() => {
        if (gone) return;
        mark(viewer, view, (n) => t('work.diagram.times', { n }));
        const canvas = viewer.get<Canvas>('canvas');
        if (box.current) canvas.viewbox(box.current);
        else if (showAll(canvas) < READABLE) lookAt(viewer, view.open[0]?.node);
      })
      .catch((error) => {
        console.error(error);
        setFailed(true);
      });
    return () => {
      gone = true;
      const { x, y, width, height } = viewer.get<Canvas>('canvas').viewbox();
      if (width > 0) box.current = { x, y, width, height };
      viewer.destroy();
    };
  }, [view, language, t]);

  return { frame, failed, viewer: () => kept.current };
}

function Tool({ label: text, icon, onClick }: { label: string; icon: ReactNode; onClick: () => void }) {
  return (
    <Tooltip title={text}>
      <Button icon={icon} aria-label={text} onClick={onClick} />
    </Tooltip>
  );
}

export default function ProcessDiagram({ processInstanceId }: { processInstanceId: string }) {
  const { t } = useTranslation();
  const { data: view, error, refetch } = useModelView(processInstanceId);
  const { frame, failed, viewer } = useViewer(view);
  if (error && !view) return <ErrorState error={error} retry={refetch} />;
  if (!view) return <PageSkeleton />;

  const canvas = () => viewer()?.get<Canvas>('canvas');
  const zoom = (factor: number) => {
    const scale = canvas()?.zoom() ?? 1;
    canvas()?.zoom(Math.min(LARGEST, Math.max(SMALLEST, scale * factor)), 'auto');
  };
  const current = view.open[0]?.node;
  const names = view.open.map(({ assigneeName }) => assigneeName).filter(Boolean);
  const now = names.join(', ') || t('work.diagram.finished');
  return (
    <section
      className="x-panel x-diagram"
      aria-label={t('work.diagram.label', { name: view.name, open: now })}
    >
      <div className="x-diagram-bar">
        <ul className="x-diagram-legend">
          {(['done', 'now', 'ahead'] as const).map((phase) => (
            <li key={phase}>
              <span style={{ background: COLOURS[phase].fill, borderColor: COLOURS[phase].stroke }} />
              {t(`work.diagram.${phase}`)}
            </li>
          ))}
        </ul>
        <div className="x-diagram-tools">
          <Tool label={t('work.diagram.zoomOut')} icon={<ZoomOutOutlined />} onClick={() => zoom(1 / STEP)} />
          <Tool label={t('work.diagram.zoomIn')} icon={<ZoomInOutlined />} onClick={() => zoom(STEP)} />
          <Tool
            label={t('work.diagram.fit')}
            icon={<ExpandOutlined />}
            onClick={() => {
              const drawn = canvas();
              if (drawn) showAll(drawn);
            }}
          />
          {current && (
            <Tool
              label={t('work.diagram.current')}
              icon={<AimOutlined />}
              onClick={() => {
                const drawn = viewer();
                if (drawn) lookAt(drawn, current);
              }}
            />
          )}
        </div>
      </div>
      {view.parked && <Parked text={view.parked.text} />}
      {failed && <Alert type="error" showIcon title={t('work.diagram.failed')} />}
      <div ref={frame} className="x-diagram-frame" />
    </section>
  );
}
