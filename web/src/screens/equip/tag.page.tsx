/** Words that people choose: class labels of assets, symptoms, causes and actions on work orders, reasons of stoppages. */
import { UploadOutlined } from '@ant-design/icons';
import { Button, ColorPicker, Form } from 'antd';
import { type ReactNode, useState } from 'react';
import { equiptags } from '@/api/nouns/equiptags';
import { failurecode } from '@/api/nouns/failurecode';
import { useTranslation } from '@/i18n';
import { DictField, Field, TreeSelectField } from '@/kit/fields';
import { ImportDialog } from '@/kit/ImportDialog';
import { NounPage, ReferenceField, type Values } from '@/kit/NounPage';
import { useLabels } from '@/kit/nounText';
import { ToneTag } from '@/kit/StateTag';
import { usePhone } from '@/kit/width';
import { inSentence } from '@/lib/sentence';
import { useClassNodes } from '@/screens/shared/classes';
import { useRights } from '@/session/rights';

const [LABEL, SYMPTOM, CAUSE, ACTION, STOP_REASON] = [3, 4, 5, 6, 7];
const KINDS = [LABEL, SYMPTOM, CAUSE, ACTION, STOP_REASON];
const SYMPTOMS = { ref: `${equiptags.path}/select`, params: { type: SYMPTOM } };

/** Class labels are for all assets. */
function Narrowed({ children }: { children: ReactNode }) {
  return Form.useWatch('type', Form.useFormInstance<Values>()) === LABEL ? null : children;
}

/** Only a cause stands under a symptom. */
function OfCause({ children }: { children: ReactNode }) {
  return Form.useWatch('type', Form.useFormInstance<Values>()) === CAUSE ? children : null;
}

export default function FailureCodes() {
  const { t, i18n } = useTranslation();
  const label = useLabels(equiptags);
  const holds = useRights();
  // Nobody works with sheets on a phone.
  const phone = usePhone();
  const [imported, setImported] = useState<string>();
  const nodes = useClassNodes(true);
  const shown = useClassNodes(false);
  return (
    <>
      <NounPage
        noun={equiptags}
        name="title"
        fixed={{ isPlate: 0 }}
        toWire={({ isPlate: _, ...values }) => values}
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
          {
            kind: 'select',
            name: 'type',
            label: label('type'),
            options: (equiptags.fields.type.options ?? [])
              .filter(([value]) => KINDS.includes(Number(value)))
              .map(([value, zh, en]) => ({
                value: String(value),
                label: i18n.language === 'zh-CN' ? zh : en,
              })),
          },
          'tagName',
          { kind: 'tree', name: 'typeId', label: label('typeId'), nodes: shown ?? [] },
          'tagCode',
          'isSealed',
        ]}
        form={[
          {
            key: 'type',
            control: (props, _, row) => (
              <DictField
                {...props}
                required
                dict="equip_tag_type"
                only={KINDS}
                disabled={row !== undefined}
              />
            ),
          },
          'tagName',
          'tagNameEn',
          'tagCode',
          {
            key: 'typeId',
            hint: t('machines.tags.typeHint'),
            control: (props) => (
              <Narrowed>
                <TreeSelectField {...props} nodes={nodes ?? []} loading={!nodes} />
              </Narrowed>
            ),
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
        actions={({ plural }) =>
          holds('equiptags_import') &&
          !phone && (
            <Button icon={<UploadOutlined />} onClick={() => setImported(plural)}>
              {t('kit.sheet.import')}
            </Button>
          )
        }
      />
      {imported !== undefined && (
        <ImportDialog
          noun={failurecode}
          title={t('kit.sheet.importTitle', { name: inSentence(imported) })}
          mayChange={holds('equiptags_edit')}
          invalidates={[[equiptags.name]]}
          onClose={() => setImported(undefined)}
        />
      )}
    </>
  );
}
