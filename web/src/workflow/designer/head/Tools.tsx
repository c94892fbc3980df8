/** The tools of the canvas as buttons: taking back, putting in order, looking. */
import {
  AlignCenterOutlined,
  CompressOutlined,
  ExpandOutlined,
  FullscreenExitOutlined,
  FullscreenOutlined,
  GatewayOutlined,
  QuestionCircleOutlined,
  RedoOutlined,
  UndoOutlined,
  ZoomInOutlined,
  ZoomOutOutlined,
} from '@ant-design/icons';
import { Button, Dropdown, Tooltip } from 'antd';
import type CommandStack from 'diagram-js/lib/command/CommandStack';
import type Canvas from 'diagram-js/lib/core/Canvas';
import type EditorActions from 'diagram-js/lib/features/editor-actions/EditorActions';
import type { ParseKeys } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from '@/i18n';
import { showAll } from '../canvas/keys';
import { useDesigner } from '../context';

interface ToolProps {
  title: ParseKeys;
  keys?: string;
  icon: ReactNode;
  disabled?: boolean;
  pressed?: boolean;
  onClick?: () => void;
}

function Tool({ title, keys, icon, disabled, pressed, onClick }: ToolProps) {
  const { t } = useTranslation();
  const text = t(title);
  return (
    <Tooltip title={keys ? `${text} (${keys})` : text}>
      <Button
        type="text"
        icon={icon}
        aria-label={text}
        aria-pressed={pressed}
        disabled={disabled}
        onClick={onClick}
      />
    </Tooltip>
  );
}

const ALIGN = ['left', 'center', 'right', 'top', 'middle', 'bottom'] as const;
const DISTRIBUTE = ['horizontal', 'vertical'] as const;
const STEP = 1.25;
const [SMALLEST, LARGEST] = [0.2, 4];

/** Of what is drawn; nothing where nobody may draw. */
export function DrawingTools() {
  const { t } = useTranslation();
  const { drawing, chosen, readOnly } = useDesigner();
  if (readOnly) return null;
  const stack = drawing.get<CommandStack>('commandStack');
  const act = (action: string, options: object) =>
    drawing.get<EditorActions>('editorActions').trigger(action, options);
  const items = [
    ...ALIGN.map((type) => ({
      key: `align.${type}`,
      label: t(`designer.align.${type}`),
      onClick: () => act('alignElements', { type }),
    })),
    { type: 'divider' as const },
    ...DISTRIBUTE.map((type) => ({
      key: type,
      label: t(`designer.distribute.${type}`),
      onClick: () => act('distributeElements', { type }),
    })),
  ];
  return (
    <span className="x-designer-tools">
      <Tool
        title="designer.tool.undo"
        keys="Ctrl+Z"
        icon={<UndoOutlined />}
        disabled={!stack.canUndo()}
        onClick={() => stack.undo()}
      />
      <Tool
        title="designer.tool.redo"
        keys="Ctrl+Y"
        icon={<RedoOutlined />}
        disabled={!stack.canRedo()}
        onClick={() => stack.redo()}
      />
      <Dropdown menu={{ items }} trigger={['click']} disabled={chosen < 2}>
        <span>
          <Tool title="designer.tool.align" icon={<AlignCenterOutlined />} disabled={chosen < 2} />
        </span>
      </Dropdown>
    </span>
  );
}

interface LookingProps {
  isFull: boolean;
  onFull: () => void;
  onKeys: () => void;
}

export function LookingTools({ isFull, onFull, onKeys }: LookingProps) {
  const { drawing, readOnly } = useDesigner();
  const canvas = drawing.get<Canvas>('canvas');
  const zoom = (factor: number) =>
    canvas.zoom(Math.min(LARGEST, Math.max(SMALLEST, canvas.zoom() * factor)), 'auto' as never);
  return (
    <span className="x-designer-tools">
      <Tool
        title="designer.tool.zoomOut"
        keys="Ctrl+-"
        icon={<ZoomOutOutlined />}
        onClick={() => zoom(1 / STEP)}
      />
      <Tool title="designer.tool.zoomIn" keys="Ctrl++" icon={<ZoomInOutlined />} onClick={() => zoom(STEP)} />
      <Tool
        title="designer.tool.actual"
        keys="Ctrl+0"
        icon={<CompressOutlined />}
        onClick={() => canvas.zoom(1, 'auto' as never)}
      />
      <Tool title="designer.tool.fit" keys="F" icon={<ExpandOutlined />} onClick={() => showAll(canvas)} />
      {!readOnly && (
        <Tool
          title="designer.tool.minimap"
          icon={<GatewayOutlined />}
          onClick={() => drawing.get<{ toggle: () => void }>('minimap').toggle()}
        />
      )}
      <Tool
        title={isFull ? 'designer.tool.leaveFull' : 'designer.tool.full'}
        icon={isFull ? <FullscreenExitOutlined /> : <FullscreenOutlined />}
        pressed={isFull}
        onClick={onFull}
      />
      {!readOnly && (
        <Tool title="designer.tool.keys" keys="?" icon={<QuestionCircleOutlined />} onClick={onKeys} />
      )}
    </span>
  );
}
