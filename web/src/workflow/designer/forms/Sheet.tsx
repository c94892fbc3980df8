/** The form as it will look, of which each component can be chosen, moved, copied and removed. */
import {
  ArrowDownOutlined,
  ArrowUpOutlined,
  CopyOutlined,
  DeleteOutlined,
  ExclamationCircleOutlined,
} from '@ant-design/icons';
import { Button, Form } from 'antd';
import { type DragEvent, useState } from 'react';
import type { Wire } from '@/api/wire';
import { useLanguage, useTranslation } from '@/i18n';
import { DrawnFields } from '../../forms/DrawnFields';
import { type Component, textOf } from '../../forms/schema';
import { drawable } from './drawable';
import { DRAG } from './Palette';
import {
  copied,
  type Drawn,
  isHolder,
  moved,
  type Place,
  partsOf,
  placeAfter,
  placed,
  shifted,
  type Type,
  without,
} from './tree';
import type { FormDrawing } from './useFormDrawing';

export type FormProblem = Wire<'FormChecked'>['problems'][number];

/** The problems of one component: the server knows it by its key, or by its id where it has none. */
export function problemsOf(component: Component, problems: readonly FormProblem[]): FormProblem[] {
  const place = component.key || component.id;
  return problems.filter(({ element }) => element !== '' && element === place?.slice(0, 60));
}

interface SheetProps {
  drawing: FormDrawing;
  problems: readonly FormProblem[];
  add: (type: Type, place?: Place) => void;
}

export function Sheet(props: SheetProps) {
  const { t } = useTranslation();
  const { schema } = props.drawing;
  return (
    <section className="x-form-sheet" aria-label={t('panel.form.sheet')}>
      <Form layout="vertical" component={false}>
        <List components={schema.components as Drawn[]} of={undefined} {...props} />
      </Form>
    </section>
  );
}

interface ListProps extends SheetProps {
  components: readonly Drawn[];
  /** The group whose components these are. */
  of: string | undefined;
}

function List({ components, of, ...props }: ListProps) {
  const { t } = useTranslation();
  return (
    <ol className="x-form-list">
      {components.map((component) => (
        <Item key={component.id} component={component} {...props} />
      ))}
      <li>
        <Drop place={{ endOf: of }} {...props}>
          {components.length === 0 && <p className="x-hint">{t('panel.form.empty')}</p>}
        </Drop>
      </li>
    </ol>
  );
}

interface DropProps extends SheetProps {
  place: Place;
  children?: React.ReactNode;
}

/** A place where what is dragged may be left. */
function Drop({ place, drawing, add, children }: DropProps) {
  const [over, setOver] = useState(false);
  const { change, schema } = drawing;
  const accept = (event: DragEvent) => {
    event.preventDefault();
    event.stopPropagation();
    setOver(true);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    event.stopPropagation();
    setOver(false);
    const type = event.dataTransfer.getData(DRAG.type);
    const id = event.dataTransfer.getData(DRAG.id);
    if (type) add(type as Type, place);
    else if (id) change(moved(schema.components, id, place), id);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dragging is the second way; buttons and keys move too
    <div
      className={over ? 'x-form-drop x-form-over' : 'x-form-drop'}
      onDragOver={accept}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {children}
    </div>
  );
}

function Item({ component, ...props }: SheetProps & { component: Drawn }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { schema, chosen, choose, change } = props.drawing;
  const { id, type } = component;
  const isChosen = chosen === id;
  const name = textOf(component, 'label', language) || t(`panel.component.${type as Type}`);
  const own = problemsOf(component, props.problems);
  const copy = () => {
    const twin = copied(component, schema.components);
    const place = placeAfter(schema.components, id);
    // The copy of a group or table stands beside it, not in it.
    const beside = isHolder(type) ? placed(schema.components, twin, { before: id }) : undefined;
    change(beside ? shifted(beside, twin.id, 1) : placed(schema.components, twin, place), twin.id);
  };
  return (
    <li>
      <Drop place={{ before: id }} {...props} />
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the button inside does the same for keys */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a click anywhere on the component chooses it */}
      <div
        className={isChosen ? 'x-form-item x-form-chosen' : 'x-form-item'}
        draggable
        onDragStart={(event) => {
          event.stopPropagation();
          event.dataTransfer.setData(DRAG.id, id);
        }}
        onClick={(event) => {
          event.stopPropagation();
          choose(id);
        }}
      >
        <div className="x-form-item-bar">
          <Button type="text" size="small" aria-pressed={isChosen} onClick={() => choose(id)}>
            {t('panel.form.choose', { type: t(`panel.component.${type as Type}`), name })}
          </Button>
          {isChosen && (
            <span className="x-nowrap">
              <Button
                type="text"
                size="small"
                icon={<ArrowUpOutlined />}
                aria-label={t('panel.form.up')}
                onClick={() => change(shifted(schema.components, id, -1))}
              />
              <Button
                type="text"
                size="small"
                icon={<ArrowDownOutlined />}
                aria-label={t('panel.form.down')}
                onClick={() => change(shifted(schema.components, id, 1))}
              />
              <Button
                type="text"
                size="small"
                icon={<CopyOutlined />}
                aria-label={t('panel.form.copy')}
                onClick={copy}
              />
              <Button
                type="text"
                size="small"
                danger
                icon={<DeleteOutlined />}
                aria-label={t('panel.form.remove')}
                onClick={() => change(without(schema.components, id))}
              />
            </span>
          )}
        </div>
        {isHolder(type) ? (
          <List components={partsOf(component)} of={id} {...props} />
        ) : (
          // A picture of the field: it takes neither the focus nor a click.
          <div inert className="x-form">
            <DrawnFields schema={{ components: drawable([component]) }} known={{}} />
          </div>
        )}
        {own.map(({ message }) => (
          <div key={message} className="x-entry-fault">
            <ExclamationCircleOutlined /> {message}
          </div>
        ))}
      </div>
    </li>
  );
}
