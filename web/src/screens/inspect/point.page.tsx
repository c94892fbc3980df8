/** Inspection points of all routes. */
import { Button } from 'antd';
import { Link } from 'react-router';
import { inspectgroup } from '@/api/nouns/inspectgroup';
import { inspectpoint } from '@/api/nouns/inspectpoint';
import { useTranslation } from '@/i18n';
import type { Filter } from '@/kit/filters';
import { NounPage } from '@/kit/NounPage';
import { useLabels } from '@/kit/nounText';
import { sourceOf } from '@/kit/references';
import { ToneTag } from '@/kit/StateTag';
import { ItemList } from '@/screens/shared/standards/ItemView';
import type { CheckItem } from '@/screens/shared/standards/items';
import { toPointForm, toPointWire, usePointForm } from './pointForm';

export default function Points() {
  const { t } = useTranslation();
  const form = usePointForm();
  const label = useLabels(inspectpoint);
  const source = sourceOf(inspectpoint, 'configIds');
  const byStandard: Filter[] = source
    ? [{ kind: 'reference', name: 'configId', label: label('configIds'), source }]
    : [];
  return (
    <NounPage
      noun={inspectpoint}
      name="pointName"
      columns={[
        { key: 'pointName', width: 220 },
        { key: 'pointCode', width: 130, nowrap: true },
        { key: 'groupName', width: 170 },
        { key: 'machineName', width: 180 },
        { key: 'configNames', width: 200 },
        'itemCount',
        'scanModeName',
        { key: 'location', extra: true },
        { key: 'remark', extra: true },
      ]}
      show={{
        pointName: (row) => (
          <span className="x-marks">
            {row.pointName}
            {row.isSealed === 1 && <ToneTag tone="off">{t('inspect.sealed')}</ToneTag>}
          </span>
        ),
        items: () => undefined,
      }}
      filters={[
        { kind: 'text', name: 'keyword', label: t('inspect.keyword') },
        'groupId',
        'machineId',
        ...byStandard,
        'scanMode',
        'isSealed',
      ]}
      form={form}
      width={880}
      toForm={toPointForm}
      toWire={toPointWire}
      touches={[[inspectgroup.name], ['inspectconfig']]}
      removeHint={t('inspect.point.removeHint')}
      detail={['itemCount']}
      extra={(row) => {
        const items = row.items as readonly CheckItem[];
        return (
          <>
            {items.length > 0 && (
              <section className="x-fact-group">
                <h3>{t('inspect.point.ownItems')}</h3>
                <ItemList items={items} />
              </section>
            )}
            <p className="x-fact-group">
              <Link to={`/inspect/group/${row.groupId}`}>
                <Button>{t('inspect.route.open')}</Button>
              </Link>
            </p>
          </>
        );
      }}
    />
  );
}
