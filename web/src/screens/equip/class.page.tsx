/** Machine classes as a tree. */
import { Button } from 'antd';
import { Link } from 'react-router';
import { inspectmachine } from '@/api/nouns/inspectmachine';
import { inspecttype } from '@/api/nouns/inspecttype';
import { useTranslation } from '@/i18n';
import { TreeSelectField } from '@/kit/fields';
import { NounTree } from '@/kit/NounTree';
import { ToneTag } from '@/kit/StateTag';
import { useClassNodes } from '@/screens/shared/classes';
import { useCanOpen } from '@/session/rights';

const DEEPEST = 6;
const MACHINES = '/equip/machine';

export default function MachineClasses() {
  const { t } = useTranslation();
  const nodes = useClassNodes(true);
  const seesMachines = useCanOpen(MACHINES);
  return (
    <NounTree
      noun={inspecttype}
      name="title"
      call="lazy-list"
      columns={[
        { key: 'title', width: 270 },
        { key: 'typeCode', width: 130, nowrap: true },
        'machineCount',
        { key: 'defaultImportanceName', width: 130 },
        { key: 'expectedMtbfHours', width: 150 },
        'sort',
        { key: 'remark', width: 160, extra: true },
      ]}
      show={{
        title: (row) => (
          <span className="x-marks">
            {row.title}
            {row.isSealed === 1 && <ToneTag tone="off">{t('system.sealed')}</ToneTag>}
          </span>
        ),
        parentName: (row) => row.parentName || t('kit.noun.top'),
      }}
      filters={['typeName', 'typeCode', 'isSealed']}
      form={[
        {
          key: 'parentId',
          control: (props) => <TreeSelectField {...props} nodes={nodes ?? []} loading={!nodes} />,
        },
        'typeCode',
        'typeName',
        'typeNameEn',
        { key: 'defaultImportance', required: true },
        { key: 'expectedMtbfHours', hint: t('machines.classes.mtbfHint') },
        'sort',
        { key: 'isSealed', hint: t('machines.classes.sealedHint') },
        'remark',
      ]}
      detail={['machineCount']}
      touches={[[inspectmachine.name]]}
      initial={{ defaultImportance: 2, sort: 0 }}
      mayHold={(row) => (row.level ?? 1) < DEEPEST && row.isSealed !== 1}
      removeHint={t('machines.classes.removeHint')}
      extra={(row) =>
        seesMachines &&
        Boolean(row.machineCount) && (
          <p className="x-fact-group">
            <Link to={`${MACHINES}?typeId=${row.id}`}>
              <Button>{t('machines.classes.show')}</Button>
            </Link>
          </p>
        )
      }
    />
  );
}
