/** The live diagram: where the process has been, where it stands and with whom. Loaded only when somebody looks at it. */
import 'bpmn-js/dist/assets/diagram-js.css';
import 'bpmn-js/dist/assets/bpmn-js.css';
import './diagram.css';
import { AimOutlined } from '@ant-design/icons';
import { Alert } from 'antd';
import Viewer from 'bpmn-js/lib/NavigatedViewer';
import { useEffect, useRef, useState } from 'react';
import type { Wire } from '@/api/wire';
import { useLanguage, useTranslation } from '@/i18n';
import { ErrorState, PageSkeleton } from '@/kit/states';
import {
  AT_ANY_ZOOM,
  type Box,
  badge,
  type Canvas,
  type Events,
  heightOf,
  LEGIBLE,
  lookAt,
  type Overlays,
  openAt,
  type Registry,
} from './canvas';
import { COLOURS, prepare } from './diagram';
import { Still } from './Parked';
import { useModelView } from './queries';
import { useScale } from './useScale';
import { Tool, ZoomTools } from './ZoomTools';

/** Below this scale nobody can read the steps: then the place where it stands is worth more than the whole. */
const READABLE = 0.45;
/** Of a frame, however low the drawing is. */
const LOWEST = 240;

function mark(viewer: Viewer, view: Wire<'ModelView'>, passed: (n: number) => string): void {
  const shapes = viewer.get<Registry>('elementRegistry');
  const overlays = viewer.get<Overlays>('overlays');
  for (const [id, count] of Object.entries(view.done)) {
    // Gateways and events pass their count on to the steps beside them.
    if (count < 2 || !shapes.get(id)?.type.endsWith('Task')) continue;
    const html = badge(`×${count}`, 'x-diagram-times');
    html.title = passed(count);
    overlays.add(id, { ...AT_ANY_ZOOM, position: { top: -12, right: 14 }, html });
  }
  for (const { node, assigneeName } of view.open) {
    if (!assigneeName || !shapes.get(node)) continue;
    overlays.add(node, {
      ...AT_ANY_ZOOM,
      position: { bottom: -4, left: 0 },
      html: badge(assigneeName, 'x-diagram-who'),
    });
  }
}

/** A low drawing needs no high frame, below which the page would go on out of sight. */
function fitFrame(canvas: Canvas, frame: HTMLDivElement | null): void {
  if (!frame) return;
  const height = Math.max(LOWEST, heightOf(canvas));
  if (height >= frame.clientHeight) return;
  frame.style.height = `${height}px`;
  canvas.resized();
}

/** Draws the model into `frame` anew for every change of state or language, and keeps where one had looked. */
function useViewer(view: Wire<'ModelView'> | undefined) {
  const { t } = useTranslation();
  const language = useLanguage();
  const frame = useRef<HTMLDivElement>(null);
  const kept = useRef<Viewer>(undefined);
  const box = useRef<Box>(undefined);
  const [failed, setFailed] = useState(false);
  const [drawn, setDrawn] = useState<Viewer>();

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
        mark(viewer, view, (count) => t('work.diagram.times', { count }));
        const canvas = viewer.get<Canvas>('canvas');
        setDrawn(viewer);
        if (box.current) canvas.viewbox(box.current);
        else {
          fitFrame(canvas, frame.current);
          openAt(viewer, READABLE, LEGIBLE, view.open[0]?.node);
        }
      })
      .catch((error) => {
        console.error(error);
        setFailed(true);
      });
    return () => {
      gone = true;
      setDrawn(undefined);
      const { x, y, width, height } = viewer.get<Canvas>('canvas').viewbox();
      if (width > 0) box.current = { x, y, width, height };
      viewer.destroy();
    };
  }, [view, language, t]);

  return { frame, failed, scale: useScale(drawn), viewer: () => kept.current };
}

interface DiagramProps {
  processInstanceId: string;
  /** Whether the page says already why the process stands still. */
  isToldAbove?: boolean;
}

export default function ProcessDiagram({ processInstanceId, isToldAbove = false }: DiagramProps) {
  const { t } = useTranslation();
  const { data: view, error, refetch } = useModelView(processInstanceId);
  const { frame, failed, scale, viewer } = useViewer(view);
  if (error && !view) return <ErrorState error={error} retry={refetch} />;
  if (!view) return <PageSkeleton />;

  const canvas = () => viewer()?.get<Canvas>('canvas');
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
          {(
            ['done', 'now', ...(view.returned.length > 0 ? (['returned'] as const) : []), 'ahead'] as const
          ).map((phase) => (
            <li key={phase}>
              <span
                className="x-on-paper"
                style={{ background: COLOURS[phase].fill, borderColor: COLOURS[phase].stroke }}
              />
              {t(`work.diagram.${phase}`)}
            </li>
          ))}
        </ul>
        <div className="x-diagram-tools">
          <ZoomTools canvas={canvas} scale={scale} />
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
      {!isToldAbove && (
        <Still
          haltedText={view.haltedText}
          parkedText={view.parked?.text}
          processInstanceId={processInstanceId}
        />
      )}
      {failed && <Alert type="error" showIcon title={t('work.diagram.failed')} />}
      <div ref={frame} className="x-diagram-frame x-paper" />
    </section>
  );
}
