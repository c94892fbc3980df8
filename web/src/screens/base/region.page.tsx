/** Administrative divisions: the tree at the left, level by level, and what lies directly below the chosen one. */
import { region } from '@/api/nouns/region';
import { useTranslation } from '@/i18n';
import { NounPage } from '@/kit/NounPage';
import { useLazyTree } from '@/kit/references';

const COUNTRY = '00';

export default function Regions() {
  const { t } = useTranslation();
  const { nodes, load } = useLazyTree(`${region.path}/lazy-tree`, 'parentCode', COUNTRY);
  return (
    <NounPage
      noun={region}
      name="title"
      columns={[
        { key: 'title', width: 200 },
        { key: 'code', width: 120 },
        { key: 'levelName', width: 120 },
        { key: 'parentName', width: 160 },
        'sort',
        { key: 'remark', extra: true },
      ]}
      filters={['name', 'code', 'level']}
      form={[
        { key: 'code', locked: true },
        { key: 'parentCode', hint: t('system.region.parentHint') },
        'name',
        'nameEn',
        { key: 'level', hint: t('system.region.levelHint') },
        'sort',
        'remark',
      ]}
      detail={['ancestors']}
      initial={{ parentCode: COUNTRY, sort: 1 }}
      pane={{ title: t('system.region.pane'), nodes, load, param: 'parentCode', field: 'parentCode' }}
      touches={[['tree', `${region.path}/lazy-tree`]]}
      removeHint={t('system.region.removeHint')}
    />
  );
}
