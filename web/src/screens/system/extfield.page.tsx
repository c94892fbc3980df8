/** Extra fields: what the company has added to assets and work orders. */
import { Form } from 'antd';
import type { ReactNode } from 'react';
import { extfield } from '@/api/nouns/extfield';
import { useTranslation } from '@/i18n';
import type { FieldProps } from '@/kit/fields';
import { NounPage, type Values } from '@/kit/NounPage';
import { NounFieldControl } from '@/kit/nounFields';

const [TEXT, NUMBER, SELECT] = [1, 2, 4];

/** What is asked of fields of one type. */
function Of({ type, children }: { type: number; children: ReactNode }) {
  return Form.useWatch<number | undefined>('type', Form.useFormInstance<Values>()) === type ? children : null;
}

export default function ExtraFields() {
  const { t } = useTranslation();
  const of = (type: number) => (props: FieldProps) => (
    <Of type={type}>
      <NounFieldControl noun={extfield} {...props} />
    </Of>
  );
  return (
    <NounPage
      noun={extfield}
      columns={[
        { key: 'title', width: 150 },
        { key: 'nounName', width: 110 },
        { key: 'key', width: 130, nowrap: true },
        { key: 'typeName', width: 90, nowrap: true },
        { key: 'required', width: 80 },
        { key: 'isSealed', width: 80 },
        { key: 'sort', width: 80 },
        { key: 'remark', width: 180 },
      ]}
      filters={['label', 'noun', 'type', 'isSealed']}
      form={[
        { key: 'noun', locked: true },
        { key: 'key', locked: true, hint: t('system.extfield.keyHint') },
        'label',
        'labelEn',
        { key: 'type', required: true, hint: t('system.extfield.typeHint') },
        { key: 'decimals', control: of(NUMBER) },
        { key: 'options', hint: t('system.extfield.optionsHint'), control: of(SELECT) },
        'required',
        'sort',
        { key: 'isSealed', hint: t('system.extfield.sealedHint') },
        'remark',
      ]}
      card={(row) => ({
        title: row.title,
        meta: [`${row.nounName} · ${row.typeName}`, row.key],
      })}
      initial={{ type: TEXT, decimals: 0, required: 0, sort: 0, isSealed: 0 }}
      removeHint={t('system.extfield.removeHint')}
      empty={{ title: t('system.extfield.none'), hint: t('system.extfield.noneHint') }}
    />
  );
}
