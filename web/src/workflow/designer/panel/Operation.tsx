/** What a service task does: one of the operations that the process may call, and what it gives it. */
import { DeleteOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useTranslation } from '@/i18n';
import { useDesigner } from '../context';
import { Answer } from './Answer';
import { useCatalogue } from './catalogue';
import { ChoiceEntry } from './controls';
import { useEdit } from './edit';
import type { GroupProps } from './group';
import { textOf } from './model';
import { ParameterEntry } from './ParameterEntry';
import { given, givenBy, renamed } from './parameters';

export function Operation({ of }: GroupProps) {
  const { t } = useTranslation();
  const { readOnly } = useDesigner();
  const edit = useEdit();
  const catalogue = useCatalogue();
  const operations = catalogue?.operations ?? [];
  const name = textOf(of, 'xw:operation');
  const chosen = operations.find((operation) => operation.name === name);
  const said = givenBy(of);
  const takes = chosen?.parameters ?? [];
  const isFurther = (key: string) => chosen?.isOpen && key.startsWith('value.');
  const unknown = [...said.keys()].filter(
    (key) => chosen && !isFurther(key) && !takes.some((one) => one.name === key),
  );
  const choose = (next: string | undefined) =>
    edit(...renamed(of, next, operations.find((operation) => operation.name === next)?.parameters ?? []));
  return (
    <>
      <ChoiceEntry
        label={t('panel.operation.label')}
        value={name || undefined}
        options={operations.map((one) => ({ value: one.name, label: one.label, hint: one.name }))}
        hint={chosen?.text}
        fault={name && catalogue && !chosen ? t('panel.operation.unknown', { name }) : undefined}
        commit={choose}
      />
      {takes.map((parameter) => (
        <ParameterEntry
          key={`${name} ${parameter.name}`}
          parameter={parameter}
          text={said.get(parameter.name) ?? ''}
          commit={(text) => edit(...given(edit, of, parameter.name, text))}
        />
      ))}
      {unknown.map((key) => (
        <div key={key} className="x-parameter">
          <p className="x-entry-fault" role="alert">
            {t('panel.parameter.unknown', { operation: name, name: key })}
          </p>
          {!readOnly && (
            <Button
              type="text"
              icon={<DeleteOutlined />}
              aria-label={t('panel.advanced.remove', { name: key })}
              onClick={() => edit(...given(edit, of, key, ''))}
            />
          )}
        </div>
      ))}
      {chosen?.asks && <Answer of={of} operation={chosen} />}
    </>
  );
}
