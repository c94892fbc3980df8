/** Departments of the company as a tree. */
import { dept } from '@/api/nouns/dept';
import { useTranslation } from '@/i18n';
import { NounTree } from '@/kit/NounTree';
import { useTenantChoice } from '@/screens/shared/tenantChoice';

export default function Departments() {
  const { t } = useTranslation();
  const { tenantId, picker } = useTenantChoice();
  return (
    <NounTree
      key={tenantId}
      noun={dept}
      name="title"
      fixed={{ tenantId }}
      columns={[
        { key: 'title', width: 280 },
        { key: 'leaderName', width: 110 },
        { key: 'deptCategoryName', width: 120 },
        { key: 'fullName', width: 180 },
        'sort',
        { key: 'remark', width: 160 },
      ]}
      filters={['deptName', 'fullName', 'deptCategory']}
      form={['parentId', 'deptCategory', 'deptName', 'deptNameEn', 'fullName', 'leaderId', 'sort', 'remark']}
      initial={{ deptCategory: 2, sort: 0 }}
      removeHint={t('people.dept.removeHint')}
      actions={() => picker}
    />
  );
}
