/** Posts of the company. */
import { post } from '@/api/nouns/post';
import { NounPage } from '@/kit/NounPage';
import { useTenantChoice } from '@/screens/shared/tenantChoice';

export default function Posts() {
  const { tenantId, picker } = useTenantChoice();
  return (
    <NounPage
      key={tenantId}
      noun={post}
      name="title"
      fixed={{ tenantId }}
      columns={['title', 'postCode', 'categoryName', 'sort', 'remark']}
      filters={['postName', 'postCode', 'category']}
      form={['category', 'postCode', 'postName', 'postNameEn', 'sort', 'remark']}
      initial={{ sort: 0 }}
      actions={() => picker}
    />
  );
}
