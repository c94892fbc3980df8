/** What a step shows to whoever works on it: a page of the console or a drawn form, and what may be done with its fields. */
import { Button, Radio } from 'antd';
import { useState } from 'react';
import { useTranslation } from '@/i18n';
import { textOf as labelOf } from '../../forms/schema';
import { useDesigner } from '../context';
import { useCatalogue } from './catalogue';
import { ChoiceEntry } from './controls';
import { useEdit } from './edit';
import { FormBeingDrawn } from './FormBeingDrawn';
import { ACCESSES, type Access, accessChange, accessOf, addedForm } from './forms';
import type { GroupProps } from './group';
import { fieldsOf, formsOf, is, listOf, nameIn, partOf, processOf, textOf } from './model';

const NEW = 'new form';
const [PAGE, FORM] = ['page:', 'form:'];

export function FormGroup({ of }: GroupProps) {
  const { t } = useTranslation();
  const { language, readOnly } = useDesigner();
  const edit = useEdit();
  const [editing, setEditing] = useState<{ name: string; isNew?: boolean }>();
  const catalogue = useCatalogue();
  const process = processOf(of);
  const forms = formsOf(process);
  const [name, page] = [textOf(of, 'xw:form'), textOf(of, 'xw:formKey')];
  const isTask = is(of, 'bpmn:UserTask');
  // A record's process asks on the record's own pages.
  const mayDraw = !catalogue?.businessType;
  const pages = isTask ? (catalogue?.pageForms ?? []) : [];
  const options = [
    ...pages.map(({ key, name: label }) => ({ value: PAGE + key, label, hint: t('panel.form.page') })),
    ...forms.map((form) => ({ value: FORM + form.name, label: form.name, hint: t('panel.form.drawn') })),
    ...(mayDraw && process ? [{ value: NEW, label: t('panel.form.new') }] : []),
  ];
  const none = { 'xw:form': undefined, 'xw:formKey': undefined, 'xw:readonlyFields': undefined };
  const choose = (value: string | undefined) => {
    if (value === NEW && process) {
      const { name: made, changes } = addedForm(edit, process, nameIn(language, of));
      edit(...changes, { of, set: { ...none, 'xw:form': made } });
      setEditing({ name: made, isNew: true });
    } else if (value?.startsWith(FORM)) {
      edit({ of, set: { ...none, 'xw:form': value.slice(FORM.length) } });
    } else {
      edit({ of, set: { ...none, 'xw:formKey': value?.slice(PAGE.length) } });
    }
  };
  const shown = forms.find((form) => form.name === name);
  const vendors = listOf(partOf(of, 'extensionElements'), 'values').filter(({ $type }) =>
    /:(formProperty|formData)$/.test($type),
  );
  return (
    <>
      <ChoiceEntry
        label={t('panel.form.source')}
        value={name ? FORM + name : page ? PAGE + page : undefined}
        clearable
        options={options}
        fault={name && !shown ? t('panel.form.missing', { name }) : undefined}
        hint={name || page ? undefined : t(isTask ? 'panel.form.usual' : 'panel.form.startUsual')}
        commit={choose}
      />
      {vendors.length > 0 && <p className="x-hint">{t('panel.form.vendor')}</p>}
      {shown && (
        <>
          <Button onClick={() => setEditing({ name: shown.name })}>
            {t(readOnly ? 'panel.form.look' : 'panel.form.edit')}
          </Button>
          <Fields of={of} />
        </>
      )}
      <FormBeingDrawn
        process={process}
        name={editing?.name}
        isNew={editing?.isNew ?? false}
        onClose={() => setEditing(undefined)}
      />
    </>
  );
}

function Fields({ of }: GroupProps) {
  const { t } = useTranslation();
  const { language, readOnly } = useDesigner();
  const edit = useEdit();
  const forms = formsOf(processOf(of));
  const own = fieldsOf(forms.find(({ name }) => name === textOf(of, 'xw:form'))?.schema);
  const keys = own.map(({ key }) => key);
  const isTask = is(of, 'bpmn:UserTask');
  // At the start nothing was filled in before.
  const all = isTask ? forms.flatMap(({ schema }) => fieldsOf(schema)) : [];
  const others = [...new Map(all.map((field) => [field.key, field])).values()].filter(
    ({ key }) => !keys.includes(key),
  );
  const access = accessOf(
    of,
    keys,
    others.map(({ key }) => key),
  );
  const set = (key: string, next: Access) => edit(accessChange(of, keys, new Map(access).set(key, next)));
  if (own.length + others.length === 0) return null;
  return (
    <table className="x-access">
      <caption>{t('panel.access.title')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('panel.access.field')}</th>
          {ACCESSES.map((one) => (
            <th key={one} scope="col">
              {t(`panel.access.${one}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {[...own, ...others].map((field) => {
          const label = labelOf(field, 'label', language);
          return (
            <tr key={field.key}>
              <th scope="row">{label}</th>
              {ACCESSES.map((one) => (
                <td key={one}>
                  {(one !== 'edit' || keys.includes(field.key)) && (
                    <Radio
                      checked={access.get(field.key) === one}
                      disabled={readOnly}
                      aria-label={`${label}: ${t(`panel.access.${one}`)}`}
                      onChange={() => set(field.key, one)}
                    />
                  )}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
