/** The menu of the console with its buttons: kept by the platform, granted to roles. */
import { Form, Input } from 'antd';
import { menu } from '@/api/nouns/menu';
import { useTranslation } from '@/i18n';
import type { FieldProps } from '@/kit/fields';
import { menuIcon } from '@/kit/icons';
import { NounTree } from '@/kit/NounTree';
import { Icon, IconField } from './IconField';

/** Meta and query are written as JSON: few people need them, and those know what they are. */
function JsonField(props: FieldProps) {
  const { t } = useTranslation();
  return (
    <Form.Item
      name={props.name}
      label={props.label}
      className="x-full"
      rules={[
        {
          validator: async (_, text?: string) => {
            if (!text?.trim()) return;
            try {
              const value: unknown = JSON.parse(text);
              if (value !== null && typeof value === 'object' && !Array.isArray(value)) return;
            } catch {
              // Said below.
            }
            throw new Error(t('access.json'));
          },
        },
      ]}
    >
      <Input.TextArea autoSize={{ minRows: 2, maxRows: 8 }} spellCheck={false} disabled={props.disabled} />
    </Form.Item>
  );
}

const written = (value: unknown) => JSON.stringify(value ?? {}, null, 1);
const read = (text: unknown) => (typeof text === 'string' && text.trim() ? JSON.parse(text) : {});

export default function Menus() {
  const { t } = useTranslation();
  return (
    <NounTree
      noun={menu}
      name="title"
      lazy="lazy-list"
      columns={[
        {
          key: 'title',
          render: (row) => (
            <span className="x-marks">
              {row.category === 1 && menuIcon(row.source)} {row.title}
            </span>
          ),
        },
        'code',
        'path',
        'categoryName',
        'sort',
      ]}
      show={{
        source: (row) => (row.source ? <Icon name={row.source} /> : '-'),
        parentName: (row) => row.parentName || t('kit.noun.top'),
      }}
      filters={['name', 'code', 'alias']}
      mayHold={(row) => row.category === 1}
      initial={{ category: 1, alias: 'menu', action: 0, isOpen: 1, sort: 1, meta: '{}', query: '{}' }}
      toForm={(row) => ({ ...row, meta: written(row.meta), query: written(row.query) })}
      toWire={(values) => ({ ...values, meta: read(values.meta), query: read(values.query) })}
      touches={[['menu'], ['grant']]}
      form={[
        { group: t('access.groups.what') },
        'name',
        'nameEn',
        'code',
        'parentId',
        'category',
        'sort',
        { group: t('access.groups.where') },
        'path',
        { key: 'source', control: (props) => <IconField {...props} /> },
        'isOpen',
        'action',
        'alias',
        'group',
        { group: t('access.groups.router') },
        { key: 'meta', control: (props) => <JsonField {...props} /> },
        { key: 'query', control: (props) => <JsonField {...props} /> },
        'remark',
      ]}
    />
  );
}
