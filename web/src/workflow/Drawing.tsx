/** A model as it is drawn, with the tools to look at it. Loaded only when somebody does. */
import 'bpmn-js/dist/assets/diagram-js.css';
import 'bpmn-js/dist/assets/bpmn-js.css';
import './diagram.css';
import { Alert } from 'antd';
import { useTranslation } from '@/i18n';
import { type Canvas, LEGIBLE } from './canvas';
import { useDiagram } from './useDiagram';
import { useScale } from './useScale';
import { ZoomTools } from './ZoomTools';

export default function Drawing({ xml }: { xml: string }) {
  const { t } = useTranslation();
  const { frame, shown, failed } = useDiagram(xml, LEGIBLE);
  const scale = useScale(shown?.viewer);
  return (
    <div className="x-drawing">
      <div className="x-diagram-bar">
        <div className="x-diagram-tools">
          <ZoomTools scale={scale} canvas={() => shown?.viewer.get<Canvas>('canvas')} />
        </div>
      </div>
      {failed && <Alert type="error" showIcon title={t('work.diagram.failed')} />}
      <div ref={frame} className="x-diagram-frame x-paper" />
    </div>
  );
}
