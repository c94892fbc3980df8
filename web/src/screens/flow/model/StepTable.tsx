/** The figures of each step, by its name. */
import { Button, Table, type TableProps } from 'antd';
import { Link } from 'react-router';
import { useTranslation } from '@/i18n';
import { useCanOpen } from '@/session/rights';
import type { NodeTimes } from '@/workflow/times/heat';
import { useDuration } from './duration';

interface StepTableProps {
  nodes: readonly NodeTimes[];
  names: ReadonlyMap<string, string>;
  chosen: string | undefined;
  onChoose: (node: string) => void;
  /** Where those that are overdue are listed. */
  follow: string;
}

export function StepTable({ nodes, names, chosen, onChoose, follow }: StepTableProps) {
  const { t } = useTranslation();
  const duration = useDuration();
  const mayFollow = useCanOpen('/flow/follow');
  const number = (
    key: Exclude<keyof NodeTimes, 'node'>,
    title: string,
    text: (value: number | null) => string,
  ): NonNullable<TableProps<NodeTimes>['columns']>[number] => ({
    key,
    title,
    align: 'end',
    className: 'x-number',
    sorter: (one, other) => (one[key] ?? -1) - (other[key] ?? -1),
    defaultSortOrder: key === 'count' ? 'descend' : undefined,
    sortDirections: ['descend', 'ascend'],
    render: (_, row) =>
      key === 'overdue' && row.overdue > 0 && mayFollow ? (
        <Link className="x-text-waiting" to={follow}>
          {text(row.overdue)}
        </Link>
      ) : (
        <span className="x-nowrap">{text(row[key])}</span>
      ),
  });
  const plain = (value: number | null) => (value ?? 0).toLocaleString();
  return (
    <div className="x-panel x-rows">
      <Table<NodeTimes>
        rowKey="node"
        size="small"
        pagination={false}
        dataSource={[...nodes]}
        scroll={{ x: 'max-content' }}
        showSorterTooltip={false}
        rowClassName={({ node }) => (node === chosen ? 'ant-table-row-selected' : '')}
        columns={[
          {
            key: 'node',
            title: t('work.step'),
            fixed: 'start',
            render: (_, { node }) =>
              names.has(node) ? (
                <Button className="x-step" type="link" onClick={() => onChoose(node)}>
                  {names.get(node)}
                </Button>
              ) : (
                // A step of an earlier version that this drawing has no more.
                <span>
                  {node} <span className="x-quiet">{t('times.gone')}</span>
                </span>
              ),
          },
          number('count', t('times.by.count'), plain),
          number('medianSeconds', t('times.by.medianSeconds'), duration),
          number('p90Seconds', t('times.by.p90Seconds'), duration),
          number('longestSeconds', t('times.longest'), duration),
          number('waiting', t('times.by.waiting'), plain),
          number('overdue', t('times.by.overdue'), plain),
        ]}
      />
    </div>
  );
}
