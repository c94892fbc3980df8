/** The forms that travel with a process: who shows them, and the way to draw them. */
import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from '@/i18n';
import { useDesigner } from '../context';
import { useCatalogue } from './catalogue';
import { TextEntry } from './controls';
import { useEdit } from './edit';
import { FormBeingDrawn } from './FormBeingDrawn';
import { addedForm, MOST_SIGNS, removedForm, renamedForm, usersOf } from './forms';
import type { GroupProps } from './group';
import { fieldsOf, formsOf } from './model';
import { useCalled } from './types';

export function FormsOfProcess({ of }: GroupProps) {
  const { t } = useTranslation();
  const { readOnly } = useDesigner();
  const called = useCalled();
  const edit = useEdit();
  const catalogue = useCatalogue();
  const [editing, setEditing] = useState<{ name: string; isNew?: boolean }>();
  const forms = formsOf(of);
  const add = () => {
    const { name, changes } = addedForm(edit, of);
    edit(...changes);
    setEditing({ name, isNew: true });
  };
  const check = (name: string) => {
    if (!name) return t('kit.form.enter', { field: t('panel.form.name') });
    return forms.some((form) => form.name === name) ? t('panel.form.nameTaken') : undefined;
  };
  if (catalogue?.businessType && forms.length === 0)
    return <p className="x-hint">{t('panel.form.ofRecord', { name: catalogue.businessName })}</p>;
  return (
    <>
      {forms.length === 0 && <p className="x-hint">{t('panel.form.noForms')}</p>}
      <ul className="x-plain">
        {forms.map((form) => {
          const users = usersOf(of, form.name).map(called);
          return (
            <li key={form.name} className="x-rule">
              <div className="x-rule-parts">
                <TextEntry
                  label={t('panel.form.name')}
                  value={form.name}
                  max={MOST_SIGNS}
                  check={(name) => check(name)}
                  commit={(name) => edit(...renamedForm(of, form, name))}
                  hint={t('panel.form.shownBy', {
                    count: fieldsOf(form.schema).length,
                    steps: users.join(t('work.own.gap')) || '-',
                  })}
                />
                <Button size="small" onClick={() => setEditing({ name: form.name })}>
                  {t(readOnly ? 'panel.form.look' : 'panel.form.edit')}
                </Button>
              </div>
              {!readOnly && (
                <Button
                  type="text"
                  size="small"
                  icon={<DeleteOutlined />}
                  aria-label={t('panel.form.delete', { name: form.name })}
                  onClick={() => edit(...removedForm(of, form))}
                />
              )}
            </li>
          );
        })}
      </ul>
      {!readOnly && !catalogue?.businessType && (
        <Button size="small" icon={<PlusOutlined />} onClick={add}>
          {t('panel.form.new')}
        </Button>
      )}
      <FormBeingDrawn
        process={of}
        name={editing?.name}
        isNew={editing?.isNew ?? false}
        onClose={() => setEditing(undefined)}
      />
    </>
  );
}
