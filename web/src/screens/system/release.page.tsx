/** Releases of the product: what everybody reads about the newest. */
import { systemhistory } from '@/api/nouns/systemhistory';
import { NounPage } from '@/kit/NounPage';

export default function Releases() {
  return (
    <NounPage
      noun={systemhistory}
      name="version"
      columns={['version', 'name', 'langName', 'statusName', { key: 'publishTime', width: 170 }]}
      filters={['version', 'name', 'status']}
      form={['version', 'name', 'lang', 'status', 'publishTime', { key: 'content', full: true }]}
      initial={{ lang: 'zh', status: 0 }}
      card={(row) => ({ title: `${row.version} ${row.name}`, meta: [row.langName, row.publishTime] })}
    />
  );
}
