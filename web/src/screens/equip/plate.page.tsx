/** Plates of assets and points: what they are bound to, their labels, and when they were scanned. */
import { PrinterOutlined, UploadOutlined } from '@ant-design/icons';
import { Button, Form } from 'antd';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { api } from '@/api/client';
import type { RowOf } from '@/api/noun';
import { submitRow } from '@/api/nounCalls';
import { equipplate } from '@/api/nouns/equipplate';
import { equiptags } from '@/api/nouns/equiptags';
import { useTranslation } from '@/i18n';
import { ConfirmDialog } from '@/kit/ConfirmDialog';
import { DictField, TextField } from '@/kit/fields';
import { ImportDialog } from '@/kit/ImportDialog';
import { NounPage, ReferenceField, type Values } from '@/kit/NounPage';
import { useLabels } from '@/kit/nounText';
import { ToneTag } from '@/kit/StateTag';
import { usePhone } from '@/kit/width';
import { moment } from '@/lib/dates';
import { inSentence } from '@/lib/sentence';
import { MACHINES } from '@/screens/shared/orders';
import { useRights } from '@/session/rights';
import { LabelsDrawer, NFC } from './LabelsDrawer';
import { MakePlates, OF_MACHINE, OF_POINT } from './MakePlates';

type Plate = RowOf<typeof equiptags>;

const QR = 1;
const MACHINE_SOURCE = { ref: '/yuzhu-equip/inspectmachine/select', params: { nodeType: '4,5' } };
const POINT_SOURCE = { ref: '/yuzhu-equip/inspectpoint/select' };

function WithNfc({ children }: { children: ReactNode }) {
  const carrier = Form.useWatch<number | undefined>('carrier', Form.useFormInstance<Values>());
  return (carrier ?? QR) === QR ? null : children;
}

/** What it is bound to follows from what kind of plate it is. */
function Target({ children }: { children: (type: number | undefined) => ReactNode }) {
  return children(Form.useWatch<number | undefined>('type', Form.useFormInstance<Values>()));
}

export default function Plates() {
  const { t } = useTranslation();
  const label = useLabels(equiptags);
  const holds = useRights();
  const [printing, setPrinting] = useState<{ plates: readonly Plate[]; clear?: () => void }>();
  const [makes, setMakes] = useState(false);
  const [imports, setImports] = useState(false);
  // Nobody works with sheets on a phone.
  const phone = usePhone();
  const [unbinding, setUnbinding] = useState<Plate>();
  const made = async (ids: string) => {
    const rows = await api.list(`${equiptags.path}/list`, { ids, isPlate: 1, size: 200 });
    setPrinting({ plates: rows.records as unknown as Plate[] });
  };
  return (
    <>
      <NounPage
        noun={equiptags}
        title={t('plates.title')}
        name="tagName"
        called={(row) => `${row.tagCode} ${row.tagName}`}
        fixed={{ isPlate: 1 }}
        columns={[
          { key: 'tagName', width: 180 },
          { key: 'tagCode', width: 136, nowrap: true },
          { key: 'typeName', width: 104, nowrap: true },
          { key: 'bindName', width: 180 },
          { key: 'carrierName', width: 120, nowrap: true },
          { key: 'printCount', width: 96 },
          { key: 'lastScanTime', width: 170 },
          { key: 'lastPrintTime', extra: true },
          { key: 'nfcUid', extra: true },
          { key: 'remark', width: 180, extra: true },
        ]}
        show={{
          tagName: (row) => (
            <span className="x-marks">
              {row.tagName}
              {row.isSealed === 1 && <ToneTag tone="off">{t('system.sealed')}</ToneTag>}
            </span>
          ),
          bindName: (row) =>
            row.bindId ? (
              <>
                {row.bindName} <span className="x-quiet">{row.bindCode}</span>
              </>
            ) : (
              <ToneTag tone="waiting">{t('plates.spare')}</ToneTag>
            ),
          lastScanTime: (row) =>
            row.lastScanTime ? (
              <>
                {moment(row.lastScanTime)} {row.lastScanUserName}
              </>
            ) : (
              <span className="x-quiet">{t('plates.never')}</span>
            ),
        }}
        card={(row) => ({
          title: row.tagName,
          meta: [row.tagCode, row.bindId ? `${row.bindName} ${row.bindCode}` : t('plates.spare')],
        })}
        filters={[
          {
            kind: 'select',
            name: 'type',
            label: label('type'),
            options: [
              { value: String(OF_MACHINE), label: t('plates.bindMachine') },
              { value: String(OF_POINT), label: t('plates.bindPoint') },
            ],
          },
          'tagName',
          'tagCode',
          { kind: 'dict', name: 'carrier', label: label('carrier'), dict: 'tag_carrier' },
          {
            kind: 'select',
            name: 'isBound',
            label: t('plates.bind'),
            options: [
              { value: '1', label: t('plates.bound') },
              { value: '0', label: t('plates.spare') },
            ],
          },
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
                only={[OF_MACHINE, OF_POINT]}
                disabled={row !== undefined}
              />
            ),
          },
          'tagName',
          { key: 'tagCode', hint: t('plates.codeHint') },
          { key: 'carrier', control: (props) => <DictField {...props} required dict="tag_carrier" /> },
          {
            key: 'nfcUid',
            hint: t('plates.nfcHint'),
            control: (props) => (
              <WithNfc>
                <TextField {...props} max={32} required />
              </WithNfc>
            ),
          },
          {
            key: 'bindId',
            hint: t('plates.bindHint'),
            control: (props) => (
              <Target>
                {(type) => (
                  <ReferenceField
                    {...props}
                    key={type}
                    label={t(type === OF_POINT ? 'plates.bindPoint' : 'plates.bindMachine')}
                    source={type === OF_POINT ? POINT_SOURCE : MACHINE_SOURCE}
                  />
                )}
              </Target>
            ),
          },
          { key: 'isSealed' },
          'remark',
        ]}
        detail={['printCount', 'lastPrintTime', 'lastScanTime']}
        initial={{ type: OF_MACHINE, carrier: QR }}
        toWire={({ isPlate: _, ...values }) => (values.carrier === QR ? { ...values, nfcUid: '' } : values)}
        extra={(row) => (
          <p className="x-fact-group">
            <span className="x-quiet">{t('plates.address')}</span> {window.location.origin}/scan/{row.token}{' '}
            {row.type === OF_MACHINE && row.bindId && (
              <Link to={`${MACHINES}/${row.bindId}`}>{row.bindName}</Link>
            )}
          </p>
        )}
        rowActions={(row) => [
          ...(holds('equiptags_edit')
            ? [
                ...(row.carrier === NFC
                  ? []
                  : [
                      {
                        key: 'print',
                        label: t('plates.printOne'),
                        onClick: () => setPrinting({ plates: [row] }),
                      },
                    ]),
                ...(row.bindId
                  ? [{ key: 'unbind', label: t('plates.unbind'), onClick: () => setUnbinding(row) }]
                  : []),
              ]
            : []),
        ]}
        actions={() => (
          <>
            {holds('equiptags_import') && !phone && (
              <Button icon={<UploadOutlined />} onClick={() => setImports(true)}>
                {t('kit.sheet.import')}
              </Button>
            )}
            {holds('equiptags_add') && <Button onClick={() => setMakes(true)}>{t('plates.makeMany')}</Button>}
          </>
        )}
        bulk={(rows, clear) =>
          holds('equiptags_edit') && (
            <Button
              icon={<PrinterOutlined />}
              disabled={!rows.some(({ carrier }) => carrier !== NFC)}
              onClick={() => setPrinting({ plates: rows, clear })}
            >
              {t('plates.print')}
            </Button>
          )
        }
      />
      {imports && (
        <ImportDialog
          noun={equipplate}
          title={t('kit.sheet.importTitle', { name: inSentence(t('plates.title')) })}
          mayChange={holds('equiptags_edit')}
          invalidates={[[equiptags.name]]}
          onClose={() => setImports(false)}
        />
      )}
      {makes && <MakePlates onMade={made} onClose={() => setMakes(false)} />}
      {printing && (
        <LabelsDrawer
          plates={printing.plates}
          onClose={() => {
            printing.clear?.();
            setPrinting(undefined);
          }}
        />
      )}
      {unbinding && (
        <ConfirmDialog
          title={t('plates.unbindTitle')}
          okText={t('plates.unbind')}
          run={() =>
            submitRow(equiptags, { id: unbinding.id, lockVersion: unbinding.lockVersion, bindId: null })
          }
          invalidates={[[equiptags.name]]}
          success={t('plates.unbound')}
          onClose={() => setUnbinding(undefined)}
        >
          {t('plates.unbindHint', {
            name: unbinding.tagName,
            target: `${unbinding.bindName} ${unbinding.bindCode}`,
          })}
        </ConfirmDialog>
      )}
    </>
  );
}
