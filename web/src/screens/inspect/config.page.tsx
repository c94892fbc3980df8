/** Check standards: the list, and in the detail the items of each version. */
import { PlusOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button, Select } from 'antd';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { api } from '@/api/client';
import type { RowOf } from '@/api/noun';
import { inspectconfig } from '@/api/nouns/inspectconfig';
import { inspecttype } from '@/api/nouns/inspecttype';
import { useTranslation } from '@/i18n';
import { FormDrawer } from '@/kit/FormDrawer';
import { TextField } from '@/kit/fields';
import { NounPage } from '@/kit/NounPage';
import { useLabels } from '@/kit/nounText';
import { ToneTag } from '@/kit/StateTag';
import { ErrorLine } from '@/kit/states';
import { moment } from '@/lib/dates';
import { useCanOpen, useRights } from '@/session/rights';
import { ItemList } from './ItemView';
import type { CheckItem } from './items';

type Standard = RowOf<typeof inspectconfig>;

const CALL = '/yuzhu-equip/inspectConfig';
const PAGE = '/inspect/config';
const POINTS = '/inspect/point';

/** The list neither adds nor edits by itself: the form is a page of its own. */
const listed = {
  ...inspectconfig,
  codes: {
    list: inspectconfig.codes.list,
    detail: inspectconfig.codes.detail,
    remove: inspectconfig.codes.remove,
  },
} as const;

export default function CheckStandards() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const may = useRights();
  const [copied, setCopied] = useState<Standard>();
  const add = may('inspectconfig_add') && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => navigate(`${PAGE}/new`)}>
      {t('kit.add')}
    </Button>
  );
  return (
    <>
      <NounPage
        noun={listed}
        name="configName"
        columns={[
          { key: 'configName', width: 220 },
          { key: 'configCode', width: 130, nowrap: true },
          { key: 'typeName', width: 160 },
          'itemCount',
          'versionNo',
          'needCheck',
          'needSign',
          { key: 'remark', extra: true },
        ]}
        show={{
          configName: (row) => (
            <span className="x-marks">
              {row.configName}
              {row.isSealed === 1 && <ToneTag tone="off">{t('inspect.sealed')}</ToneTag>}
            </span>
          ),
        }}
        filters={[
          { kind: 'text', name: 'keyword', label: t('inspect.keyword') },
          'typeId',
          'isSealed',
          'needCheck',
          'needSign',
        ]}
        detail={[
          'configCode',
          'typeName',
          'itemCount',
          'versionNo',
          'needCheck',
          'needSign',
          'isSealed',
          'remark',
        ]}
        form={[]}
        width={880}
        rowActions={(row) => [
          ...(may('inspectconfig_edit')
            ? [{ key: 'edit', label: t('kit.edit'), onClick: () => navigate(`${PAGE}/${row.id}/edit`) }]
            : []),
          ...(may('inspectconfig_add')
            ? [{ key: 'copy', label: t('inspect.copy.action'), onClick: () => setCopied(row) }]
            : []),
        ]}
        main={add}
        touches={[[inspecttype.name]]}
        removeHint={t('inspect.standard.removeHint')}
        extra={(row) => <Versions standard={row} />}
        empty={{
          title: t('inspect.standard.none'),
          hint: t(add ? 'inspect.standard.noneHint' : 'inspect.standard.noneNoRight'),
        }}
      />
      {copied && <CopyStandard standard={copied} onClose={() => setCopied(undefined)} />}
    </>
  );
}

/** The items as they are, or as they were in an earlier version. */
function Versions({ standard }: { standard: Standard }) {
  const { t } = useTranslation();
  const seesPoints = useCanOpen(POINTS);
  const [number, setNumber] = useState<number>();
  const { data: versions } = useQuery({
    queryKey: [inspectconfig.name, 'versions', standard.id, standard.versionNo],
    queryFn: ({ signal }) => api.get(`${CALL}/versions`, { id: standard.id }, signal),
    enabled: standard.versionNo > 1,
  });
  const earlier = number !== undefined && number !== standard.versionNo;
  const { data: version, error } = useQuery({
    queryKey: [inspectconfig.name, 'version', standard.id, number],
    queryFn: ({ signal }) => api.get(`${CALL}/version`, { id: standard.id, versionNo: number ?? 0 }, signal),
    enabled: earlier,
  });
  const items = earlier ? version?.items : (standard.items as readonly CheckItem[]);
  return (
    <section className="x-fact-group">
      <div className="x-section-head">
        <h3>{t('inspect.standard.items')}</h3>
        {versions && versions.length > 1 && (
          <Select
            aria-label={t('inspect.standard.versions')}
            value={number ?? standard.versionNo}
            onChange={setNumber}
            popupMatchSelectWidth={false}
            options={versions.map((one) => ({
              value: one.versionNo,
              label: [
                t('inspect.standard.version', { n: one.versionNo }),
                moment(one.createTime),
                one.createUserName,
              ]
                .filter(Boolean)
                .join(' · '),
            }))}
          />
        )}
      </div>
      {earlier && <p className="x-quiet">{t('inspect.standard.earlier', { n: number })}</p>}
      {Boolean(error) && <ErrorLine error={error} />}
      {items && <ItemList items={items} />}
      {seesPoints && (
        <p>
          <Link to={`${POINTS}?configId=${standard.id}`}>
            <Button>{t('inspect.standard.usedAt')}</Button>
          </Link>
        </p>
      )}
    </section>
  );
}

function CopyStandard({ standard, onClose }: { standard: Standard; onClose: () => void }) {
  const { t } = useTranslation();
  const label = useLabels(inspectconfig);
  const navigate = useNavigate();
  const { configCode, configName } = inspectconfig.fields;
  return (
    <FormDrawer<{ configCode: string; configName: string }, { id: string }>
      title={t('inspect.copy.title', { name: standard.configName })}
      size="small"
      note={t('inspect.copy.standardNote', { count: standard.itemCount })}
      initial={{ configCode: '', configName: t('inspect.copy.name', { name: standard.configName }) }}
      submit={(values) => api.post(`${CALL}/copy`, { ...values, id: standard.id })}
      submitText={t('inspect.copy.action')}
      invalidates={[[inspectconfig.name], ['options']]}
      onDone={({ id }) => navigate(`${PAGE}/${id}/edit`)}
      onClose={onClose}
    >
      <TextField name="configCode" label={label('configCode')} required max={configCode.max} full />
      <TextField name="configName" label={label('configName')} required max={configName.max} full />
    </FormDrawer>
  );
}
