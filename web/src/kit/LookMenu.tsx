/** The choice of a list's columns, their order, and its density. */
import { DownOutlined, SettingOutlined, UpOutlined } from '@ant-design/icons';
import { Button, Checkbox, Popover, Segmented } from 'antd';
import { type DragEvent, useState } from 'react';
import { useTranslation } from '@/i18n';
import { DENSITIES, type Look } from './listLook';

interface Titled {
  key: string;
  title: string;
  extra?: boolean;
}

function Panel<Column extends Titled>({ look }: { look: Look<Column> }) {
  const { t } = useTranslation();
  const [dragged, setDragged] = useState<string>();
  const drop = (event: DragEvent, to: number) => {
    event.preventDefault();
    if (dragged) look.move(dragged, to);
    setDragged(undefined);
  };
  return (
    <div className="x-columns">
      <h2>{t('kit.look.density')}</h2>
      <Segmented
        block
        size="small"
        value={look.density}
        options={DENSITIES.map((value) => ({ value, label: t(`kit.look.${value}`) }))}
        onChange={look.setDensity}
      />
      <h2>{t('kit.look.columns')}</h2>
      <ol>
        {look.all.map((column, index) => {
          const on = look.shown.includes(column);
          return (
            <li
              key={column.key}
              draggable
              aria-label={column.title}
              className={dragged === column.key ? 'x-columns-dragged' : undefined}
              onDragStart={() => setDragged(column.key)}
              onDragEnd={() => setDragged(undefined)}
              onDragOver={(event) => event.preventDefault()}
              onDrop={(event) => drop(event, index)}
            >
              <Checkbox
                checked={on}
                disabled={on && look.shown.length === 1}
                onChange={(event) => look.show(column.key, event.target.checked)}
              >
                {column.title}
              </Checkbox>
              <Button
                type="text"
                size="small"
                icon={<UpOutlined />}
                aria-label={t('kit.look.up', { name: column.title })}
                disabled={index === 0}
                onClick={() => look.move(column.key, index - 1)}
              />
              <Button
                type="text"
                size="small"
                icon={<DownOutlined />}
                aria-label={t('kit.look.down', { name: column.title })}
                disabled={index === look.all.length - 1}
                onClick={() => look.move(column.key, index + 1)}
              />
            </li>
          );
        })}
      </ol>
      <Button type="link" size="small" className="x-flush" disabled={!look.changed} onClick={look.reset}>
        {t('kit.look.reset')}
      </Button>
    </div>
  );
}

/** The button that opens it, for the head of a list. */
export function LookMenu<Column extends Titled>({ look }: { look: Look<Column> }) {
  const { t } = useTranslation();
  return (
    <Popover trigger="click" placement="bottomRight" content={<Panel look={look} />}>
      <Button icon={<SettingOutlined />} aria-label={t('kit.look.open')} title={t('kit.look.open')} />
    </Popover>
  );
}
