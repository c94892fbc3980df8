/** A model's drawing with the heat of one measure on its steps: a ground in five shades, and the figure itself. */
import 'bpmn-js/dist/assets/diagram-js.css';
import 'bpmn-js/dist/assets/bpmn-js.css';
import '../diagram.css';
import './times.css';
import { Alert } from 'antd';
import { useEffect } from 'react';
import { useTranslation } from '@/i18n';
import {
  AT_ANY_ZOOM,
  badge,
  type Canvas,
  lookAt,
  type Overlays,
  type Registry,
  type Selection,
} from '../canvas';
import { useDiagram } from '../useDiagram';
import { ZoomTools } from '../ZoomTools';
import { heatOf, type Measure, type NodeTimes } from './heat';

const TYPE = 'x-heat';

interface HeatDiagramProps {
  xml: string;
  nodes: readonly NodeTimes[];
  measure: Measure;
  /** A value of the measure in words. */
  text: (value: number) => string;
  /** Put into the middle. */
  chosen?: string;
}

export default function HeatDiagram({ xml, nodes, measure, text, chosen }: HeatDiagramProps) {
  const { t } = useTranslation();
  const { frame, shown, failed } = useDiagram(xml);

  useEffect(() => {
    if (!shown) return;
    const { viewer } = shown;
    const [shapes, canvas] = [viewer.get<Registry>('elementRegistry'), viewer.get<Canvas>('canvas')];
    const overlays = viewer.get<Overlays>('overlays');
    const { levels } = heatOf(nodes, measure);
    const hot = nodes.filter(({ node }) => levels.has(node) && shapes.get(node));
    for (const { node, [measure]: value } of hot) {
      const level = levels.get(node);
      canvas.addMarker(node, `x-heat-${level}`);
      const html = badge(text(value ?? 0), `x-heat-badge x-heat-badge-${level} x-on-paper`);
      overlays.add(node, TYPE, { ...AT_ANY_ZOOM, position: { bottom: 4, left: 4 }, html });
    }
    return () => {
      overlays.remove({ type: TYPE });
      for (const { node } of hot)
        if (shapes.get(node)) canvas.removeMarker(node, `x-heat-${levels.get(node)}`);
    };
  }, [shown, nodes, measure, text]);

  useEffect(() => {
    if (!shown || !chosen || !lookAt(shown.viewer, chosen)) return;
    const shape = shown.viewer.get<Registry>('elementRegistry').get(chosen);
    shown.viewer.get<Selection>('selection').select(shape ?? null);
  }, [shown, chosen]);

  return (
    <div className="x-panel x-diagram">
      <div className="x-diagram-bar">
        <Legend nodes={nodes} measure={measure} text={text} />
        <div className="x-diagram-tools">
          <ZoomTools canvas={() => shown?.viewer.get<Canvas>('canvas')} />
        </div>
      </div>
      {failed && <Alert type="error" showIcon title={t('work.diagram.failed')} />}
      <div ref={frame} className="x-diagram-frame x-paper" />
    </div>
  );
}

function Legend({ nodes, measure, text }: Pick<HeatDiagramProps, 'nodes' | 'measure' | 'text'>) {
  const { t } = useTranslation();
  const { bounds } = heatOf(nodes, measure);
  if (bounds.length === 0) return <span className="x-quiet">{t('times.cold')}</span>;
  return (
    <ul className="x-diagram-legend" aria-label={t('times.legend')}>
      {bounds.map(({ level, least, most }) => (
        <li key={level}>
          <span className={`x-heat-badge-${level} x-on-paper`} />
          {least === most ? text(least) : `${text(least)} – ${text(most)}`}
        </li>
      ))}
    </ul>
  );
}
