/** Draws a form: components at the left, the form as it will look in the middle, what a component says at the right. */
import './forms.css';
import { RedoOutlined, UndoOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Alert, App, Button, Drawer, Segmented } from 'antd';
import { type KeyboardEvent, useState } from 'react';
import { api } from '@/api/client';
import { fetchTexts, useLanguage, useTranslation } from '@/i18n';
import { ErrorLine } from '@/kit/states';
import { useDebounced } from '@/kit/useDebounced';
import { useOpener } from '@/kit/useOpener';
import type { Language } from '@/site';
import type { Schema } from '../../forms/schema';
import { useDesigner } from '../context';
import { Palette } from './Palette';
import { Preview } from './Preview';
import { Properties } from './Properties';
import { Sheet } from './Sheet';
import {
  find,
  fitting,
  made,
  type Place,
  placeAfter,
  placed,
  type Said,
  shifted,
  type Type,
  tableOf,
  without,
} from './tree';
import { useFormDrawing } from './useFormDrawing';

interface FormEditorProps {
  name: string;
  schema: Schema;
  /** Told once, when the form is done. */
  onDone: (schema: Schema) => void;
  onClose: () => void;
}

const LANGUAGES: readonly Language[] = ['zh-CN', 'en-US'];
const VIEWS = ['draw', 'desk', 'phone'] as const;
type View = (typeof VIEWS)[number];

/** What the server says of the form as it stands. */
function useCheck(schema: Schema) {
  const rested = useDebounced(schema, 300);
  const language = useLanguage();
  return useQuery({
    queryKey: ['flow', 'form-check', rested, language],
    queryFn: async () => {
      const found = await api.post('/blade-flow/model/form-check', { schema: rested });
      return found.problems;
    },
    placeholderData: (previous) => previous,
    gcTime: 0,
  });
}

/** Whether the words of both languages are there: the page itself needs one of them alone. */
function useBothLanguages(): boolean {
  const { isSuccess } = useQuery({
    queryKey: ['words', 'panel'],
    queryFn: async () => {
      await Promise.all(LANGUAGES.map((language) => fetchTexts('panel', language)));
      return true;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return isSuccess;
}

export function FormEditor({ name, schema: first, onDone, onClose }: FormEditorProps) {
  const { t } = useTranslation();
  const { modal } = App.useApp();
  const { readOnly } = useDesigner();
  const drawing = useFormDrawing(first);
  const { schema, chosen, choose, change, undo, redo, changed } = drawing;
  const [view, setView] = useState<View>(readOnly ? 'desk' : 'draw');
  const { data: problems = [], error } = useCheck(schema);
  useOpener();

  const leave = () => {
    if (!changed) return onClose();
    modal.confirm({
      title: t('kit.form.discard'),
      content: t('panel.form.discardHint'),
      okText: t('kit.form.discardYes'),
      okButtonProps: { danger: true },
      cancelText: t('kit.form.stay'),
      onOk: onClose,
    });
  };
  const isSaid = useBothLanguages();
  // What is new has a name in both languages, whoever draws it.
  const said = (type: Type, lng: Language): Said => ({
    label: t(`panel.component.${type}`, { lng }),
    option: t('panel.form.option', { lng }),
    column: t('panel.form.column', { lng }),
  });
  const add = (type: Type, place: Place = placeAfter(schema.components, chosen)) => {
    const one = made(type, said(type, 'zh-CN'), said(type, 'en-US'), schema.components);
    change(placed(schema.components, one, fitting(schema.components, type, place)), one.id);
  };
  const keys = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    if (target.matches('input, textarea, [contenteditable]')) return;
    const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z';
    const isRedo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'y';
    const one = find(schema.components, chosen);
    if (isUndo && event.shiftKey) redo?.();
    else if (isUndo) undo?.();
    else if (isRedo) redo?.();
    else if (one && event.key === 'Delete') change(without(schema.components, one.id));
    else if (one && event.altKey && event.key === 'ArrowUp') change(shifted(schema.components, one.id, -1));
    else if (one && event.altKey && event.key === 'ArrowDown') change(shifted(schema.components, one.id, 1));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const ofForm = problems.filter(({ element }) => element === '');
  return (
    <Drawer
      open
      size="100%"
      title={t('panel.form.editTitle', { name })}
      onClose={leave}
      className="x-form-editor"
      extra={
        <span className="x-form-editor-tools">
          <Segmented<View>
            value={view}
            onChange={setView}
            options={VIEWS.filter((one) => one !== 'draw' || !readOnly).map((value) => ({
              value,
              label: t(`panel.form.view.${value}`),
            }))}
          />
          {!readOnly && (
            <>
              <Button
                icon={<UndoOutlined />}
                aria-label={t('panel.form.undo')}
                disabled={!undo}
                onClick={undo}
              />
              <Button
                icon={<RedoOutlined />}
                aria-label={t('panel.form.redo')}
                disabled={!redo}
                onClick={redo}
              />
              <Button onClick={leave}>{t('kit.cancel')}</Button>
              <Button type="primary" disabled={!changed} onClick={() => onDone(schema)}>
                {t('panel.form.done')}
              </Button>
            </>
          )}
        </span>
      }
    >
      {error ? <ErrorLine error={error} /> : null}
      {ofForm.map(({ message }) => (
        <Alert key={message} type="error" showIcon title={message} />
      ))}
      {view === 'draw' ? (
        // biome-ignore lint/a11y/noStaticElementInteractions: keys of the whole form, beside the buttons that do the same
        <div className="x-form-draw" onKeyDown={keys}>
          <Palette add={add} disabled={!isSaid} />
          <Sheet drawing={drawing} problems={problems} add={add} />
          <aside className="x-form-side" aria-label={t('panel.form.properties')}>
            <Properties
              key={chosen}
              component={find(schema.components, chosen)}
              isColumn={chosen !== undefined && tableOf(schema.components, chosen) !== undefined}
              problems={problems}
              change={(next) => change(next(schema.components))}
              choose={choose}
            />
          </aside>
        </div>
      ) : (
        <Preview schema={schema} isPhone={view === 'phone'} />
      )}
    </Drawer>
  );
}
