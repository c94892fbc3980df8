/** What else stands on an element: attributes of other engines and of nobody we know, as they are. */
import { DeleteOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useTranslation } from '@/i18n';
import { useDesigner } from '../context';
import { useEdit } from './edit';
import type { GroupProps } from './group';
import { is, listOf, partOf } from './model';

/** Attributes of Flowable, Activiti and Camunda 7 that the engine reads as ours. */
const READ = [
  'assignee',
  'candidateUsers',
  'candidateGroups',
  'formKey',
  'candidateStarterGroups',
  'candidateStarterUsers',
];
const VENDORS = ['flowable', 'activiti', 'camunda'];

export function Advanced({ of }: GroupProps) {
  const { t } = useTranslation();
  const { readOnly } = useDesigner();
  const edit = useEdit();
  const attributes = Object.entries(of.$attrs).filter(([name]) => !name.startsWith('xmlns'));
  const others = listOf(partOf(of, 'extensionElements'), 'values').filter(
    (one) => !is(one, 'xw:Form', 'xw:Parameter'),
  );
  const isRead = (name: string) => {
    const [space = '', plain = ''] = name.split(':');
    return VENDORS.includes(space) && READ.includes(plain);
  };
  return (
    <>
      <dl className="x-raw">
        <dt>{t('panel.advanced.type')}</dt>
        <dd>
          <code>{of.$type}</code>
        </dd>
        {attributes.map(([name, value]) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>
              <code>{value}</code>
              {isRead(name) && <span className="x-hint">{t('panel.advanced.read')}</span>}
              {!readOnly && (
                <Button
                  type="text"
                  size="small"
                  icon={<DeleteOutlined />}
                  aria-label={t('panel.advanced.remove', { name })}
                  onClick={() => edit({ of, set: { [name]: undefined } })}
                />
              )}
            </dd>
          </div>
        ))}
        {others.length > 0 && (
          <div>
            <dt>{t('panel.advanced.elements')}</dt>
            <dd>
              <code>{others.map(({ $type }) => $type).join(', ')}</code>
            </dd>
          </div>
        )}
      </dl>
      {attributes.length + others.length === 0 && <p className="x-hint">{t('panel.advanced.none')}</p>}
    </>
  );
}
