/** Failure codes: the words for symptoms, causes and actions that people choose on work orders. */
import { ColorPicker, Form } from 'antd';
import type { ReactNode } from 'react';
import { equiptags } from '@/api/nouns/equiptags';
import { useTranslation } from '@/i18n';
import { DictField, Field, TreeSelectField } from '@/kit/fields';
import { NounPage, ReferenceField, type Values } from '@/kit/NounPage';
import { useLabels } from '@/kit/nounText';
import { ToneTag } from '@/kit/StateTag';
import { useClassNodes } from '@/screens/shared/classes';

const [SYMPTOM, CAUSE, ACTION, STOP_REASON] = [4, 5, 6, 7];
const KINDS = [SYMPTOM, CAUSE, ACTION, STOP_REASON];
const SYMPTOMS = { ref: `${equiptags.path}/select`, params: { type: SYMPTOM } };

/** Only a cause stands under a symptom. */
function OfCause({ children }: { children: ReactNode }) {
  return Form.useWatch('type', Form.useFormInstance<Values>()) === CAUSE ? children : null;
}

export default function FailureCodes() {
  const { t } = useTranslation();
  const label = useLabels(equiptags);
  const nodes = useClassNodes(true);
  const shown = useClassNodes(false);
  return (
    <NounPage
      noun={equiptags}
      name="title"
      columns={[
        { key: 'title', width: 220 },
        { key: 'typeName', width: 110, nowrap: true },
        { key: 'tagCode', width: 120, nowrap: true },
        { key: 'assetTypeName', width: 150 },
        { key: 'parentName', width: 130 },
        'sort',
        { key: 'remark', width: 180, extra: true },
      ]}
      show={{
        title: (row) => (
          <span className="x-marks">
            <span className="x-swatch" style={{ background: row.color }} aria-hidden />
            {row.title}
            {row.isSealed === 1 && <ToneTag tone="off">{t('system.sealed')}</ToneTag>}
          </span>
        ),
        assetTypeName: (row) => row.assetTypeName || t('machines.tags.everywhere'),
      }}
      card={(row) => ({
        title: row.title,
        meta: [row.typeName, row.assetTypeName || t('machines.tags.everywhere')],
      })}
      filters={[
        'type',
        'tagName',
        { kind: 'tree', name: 'typeId', label: label('typeId'), nodes: shown ?? [] },
        'tagCode',
        'isSealed',
      ]}
      form={[
        {
          key: 'type',
          control: (props, _, row) => (
            <DictField {...props} required dict="equip_tag_type" only={KINDS} disabled={row !== undefined} />
          ),
        },
        'tagName',
        'tagNameEn',
        'tagCode',
        {
          key: 'typeId',
          hint: t('machines.tags.typeHint'),
          control: (props) => <TreeSelectField {...props} nodes={nodes ?? []} loading={!nodes} />,
        },
        {
          key: 'parentId',
          control: (props) => (
            <OfCause>
              <ReferenceField {...props} source={SYMPTOMS} />
            </OfCause>
          ),
        },
        {
          key: 'color',
          control: (props) => (
            <Field
              {...props}
              kind="choose"
              getValueFromEvent={(color: { toHexString: () => string }) => color.toHexString()}
            >
              <ColorPicker disabledAlpha showText />
            </Field>
          ),
        },
        'sort',
        { key: 'isSealed', hint: t('machines.tags.sealedHint') },
        'remark',
      ]}
      initial={{ type: SYMPTOM, color: '#409EFF', sort: 0 }}
      removeHint={t('machines.tags.removeHint')}
    />
  );
}
