/** The components that a form may have: a click adds one behind what is chosen, or they are dragged to their place. */
import {
  AlignLeftOutlined,
  ApartmentOutlined,
  BorderOutlined,
  CalendarOutlined,
  CheckSquareOutlined,
  ColumnHeightOutlined,
  DownSquareOutlined,
  FieldNumberOutlined,
  FontSizeOutlined,
  FormOutlined,
  LineOutlined,
  OrderedListOutlined,
  PaperClipOutlined,
  TableOutlined,
  TagsOutlined,
  ToolOutlined,
  UnorderedListOutlined,
  UserOutlined,
} from '@ant-design/icons';
import { Button } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from '@/i18n';
import { TYPES, type Type } from './tree';

const ICONS: Readonly<Record<Type, ReactNode>> = {
  textfield: <FormOutlined />,
  textarea: <AlignLeftOutlined />,
  number: <FieldNumberOutlined />,
  datetime: <CalendarOutlined />,
  checkbox: <CheckSquareOutlined />,
  filepicker: <PaperClipOutlined />,
  'xw-table': <TableOutlined />,
  'xw-person': <UserOutlined />,
  'xw-department': <ApartmentOutlined />,
  'xw-asset': <ToolOutlined />,
  radio: <OrderedListOutlined />,
  select: <DownSquareOutlined />,
  checklist: <UnorderedListOutlined />,
  taglist: <TagsOutlined />,
  group: <BorderOutlined />,
  text: <FontSizeOutlined />,
  separator: <LineOutlined />,
  spacer: <ColumnHeightOutlined />,
};

/** What is dragged: a type of the palette, or a component of the sheet by its id. */
export const DRAG = { type: 'application/x-form-type', id: 'application/x-form-id' } as const;

interface PaletteProps {
  add: (type: Type) => void;
  disabled: boolean;
}

export function Palette({ add, disabled }: PaletteProps) {
  const { t } = useTranslation();
  return (
    <nav className="x-form-palette" aria-label={t('panel.form.palette')}>
      {(['enter', 'choose', 'show'] as const).map((group) => (
        <section key={group} aria-label={t(`panel.form.kinds.${group}`)}>
          <h3>{t(`panel.form.kinds.${group}`)}</h3>
          {TYPES[group].map((type) => (
            <Button
              key={type}
              block
              icon={ICONS[type]}
              disabled={disabled}
              draggable={!disabled}
              onDragStart={(event) => event.dataTransfer.setData(DRAG.type, type)}
              onClick={() => add(type)}
            >
              {t(`panel.component.${type}`)}
            </Button>
          ))}
        </section>
      ))}
    </nav>
  );
}
