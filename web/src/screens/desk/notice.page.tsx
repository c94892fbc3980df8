/** Notices to everybody in the company. */
import { notice } from '@/api/nouns/notice';
import { NounPage } from '@/kit/NounPage';

export default function Notices() {
  return (
    <NounPage
      noun={notice}
      name="title"
      columns={['title', 'categoryName', 'releaseTime']}
      filters={['title', 'category', 'releaseTime']}
      form={['title', 'category', 'releaseTime', 'content']}
    />
  );
}
