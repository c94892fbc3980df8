/** What the pages of check and of maintenance standards share: the items of each version, and the copy. */
import { PlusOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button, Select } from 'antd';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { api } from '@/api/client';
import type { RowOf } from '@/api/noun';
import { inspectconfig } from '@/api/nouns/inspectconfig';
import { useTranslation } from '@/i18n';
import { FormDrawer } from '@/kit/FormDrawer';
import { TextField } from '@/kit/fields';
import { useLabels } from '@/kit/nounText';
import { ErrorLine } from '@/kit/states';
import { moment } from '@/lib/dates';
import { useCanOpen, useRights } from '@/session/rights';
import { ItemList } from './ItemView';
import type { CheckItem } from './items';

export type Standard = RowOf<typeof inspectconfig>;

const CALL = '/yuzhu-equip/inspectConfig';
const POINTS = '/inspect/point';

/** The list neither adds nor edits by itself: the form is a page of its own. */
export const listed = {
  ...inspectconfig,
  codes: {
    list: inspectconfig.codes.list,
    detail: inspectconfig.codes.detail,
    remove: inspectconfig.codes.remove,
  },
} as const;

/** The items as they are, or as they were in an earlier version. */
export function Versions({ standard }: { standard: Standard }) {
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
      {seesPoints && standard.configType === 1 && (
        <p>
          <Link to={`${POINTS}?configId=${standard.id}`}>
            <Button>{t('inspect.standard.usedAt')}</Button>
          </Link>
        </p>
      )}
    </section>
  );
}

/** What can be done with standards on the list `page` of their kind, and the one that is being copied. */
export function useStandardActs(page: string) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const may = useRights();
  const [copied, setCopied] = useState<Standard>();
  const [adds, edits] = [may('inspectconfig_add'), may('inspectconfig_edit')];
  const edit = ({ id }: Standard) => navigate(`${page}/${id}/edit`);
  return {
    main: adds && (
      <Button type="primary" icon={<PlusOutlined />} onClick={() => navigate(`${page}/new`)}>
        {t('kit.add')}
      </Button>
    ),
    ofRow: (row: Standard) => [
      ...(edits ? [{ key: 'edit', label: t('kit.edit'), onClick: () => edit(row) }] : []),
      ...(adds ? [{ key: 'copy', label: t('inspect.copy.action'), onClick: () => setCopied(row) }] : []),
    ],
    copied,
    closeCopy: () => setCopied(undefined),
  };
}

export function CopyStandard({
  standard,
  page,
  note,
  onClose,
}: {
  standard: Standard;
  /** The list of its kind. */
  page: string;
  /** What is copied and what is not. */
  note: string;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const label = useLabels(inspectconfig);
  const navigate = useNavigate();
  const { configCode, configName } = inspectconfig.fields;
  return (
    <FormDrawer<{ configCode: string; configName: string }, { id: string }>
      title={t('inspect.copy.title', { name: standard.configName })}
      size="small"
      note={note}
      initial={{ configCode: '', configName: t('inspect.copy.name', { name: standard.configName }) }}
      submit={(values) => api.post(`${CALL}/copy`, { ...values, id: standard.id })}
      submitText={t('inspect.copy.action')}
      invalidates={[[inspectconfig.name], ['options']]}
      onDone={({ id }) => navigate(`${page}/${id}/edit`)}
      onClose={onClose}
    >
      <TextField name="configCode" label={label('configCode')} required max={configCode.max} full />
      <TextField name="configName" label={label('configName')} required max={configName.max} full />
    </FormDrawer>
  );
}
