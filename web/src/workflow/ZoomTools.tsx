/** The buttons with which one looks at a diagram nearer, from further off, or as a whole. */
import { ExpandOutlined, ZoomInOutlined, ZoomOutOutlined } from '@ant-design/icons';
import { Button, Tooltip } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from '@/i18n';
import { type Canvas, showAll, zoomBy } from './canvas';

const STEP = 1.25;

interface ToolProps {
  label: string;
  icon: ReactNode;
  /** A key that does the same, as the page's own listener has it. */
  keyName?: string;
  disabled?: boolean;
  onClick: () => void;
}

export function Tool({ label: text, icon, keyName, disabled, onClick }: ToolProps) {
  return (
    <Tooltip title={keyName ? `${text} (${keyName})` : text}>
      <Button
        icon={icon}
        aria-label={text}
        aria-keyshortcuts={keyName}
        disabled={disabled}
        onClick={onClick}
      />
    </Tooltip>
  );
}

interface ZoomToolsProps {
  /** Asked at each press: the diagram is drawn anew now and then. */
  canvas: () => Canvas | undefined;
  /** At which it is shown, to be told between the buttons. */
  scale?: number;
}

export function ZoomTools({ canvas, scale }: ZoomToolsProps) {
  const { t } = useTranslation();
  const on = (act: (canvas: Canvas) => void) => () => {
    const drawn = canvas();
    if (drawn) act(drawn);
  };
  return (
    <>
      <Tool
        label={t('work.diagram.zoomOut')}
        icon={<ZoomOutOutlined />}
        onClick={on((drawn) => zoomBy(drawn, 1 / STEP))}
      />
      {scale !== undefined && <span className="x-diagram-scale">{Math.round(scale * 100)}%</span>}
      <Tool
        label={t('work.diagram.zoomIn')}
        icon={<ZoomInOutlined />}
        onClick={on((drawn) => zoomBy(drawn, STEP))}
      />
      <Tool label={t('work.diagram.fit')} icon={<ExpandOutlined />} onClick={on(showAll)} />
    </>
  );
}
