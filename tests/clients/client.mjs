// Walks the demo server with Cloudflare's own client library, unmodified, and prints what it found as one JSON value.
import Cloudflare from 'cloudflare';

const { BASE_URL: baseURL, TOKEN: apiToken, ACCOUNT: account_id } = process.env;
const client = new Cloudflare({ baseURL, apiToken, maxRetries: 0 });
const all = async (pages) => {
  const items = [];
  for await (const item of pages) items.push(item);
  return items;
};
const failure = async (promise) => {
  try {
    await promise;
    return 'no failure';
  } catch (error) {
    return { status: error.status, code: error.errors?.[0]?.code };
  }
};

const workers = client.workers.beta.workers;
const worker = await workers.get('checkout-api', { account_id });
const namespaces = await all(client.durableObjects.namespaces.list({ account_id }));
const rooms = namespaces.find((namespace) => namespace.class === 'ChatRoom');
const profile = (name, version, body) =>
  client.post(`/accounts/${account_id}/workers/workers/${name}/versions/${version}/profile`, { body, maxRetries: 0 });
const captured = await profile(worker.id, '7c1f2a9e', { duration_ms: 1000, profile_type: 'cpu' }).asResponse();
const stranger = new Cloudflare({ baseURL, apiToken: 'cfut_somebody-else', maxRetries: 0 });

console.log(JSON.stringify({
  accounts: await all(client.accounts.list()),
  user: (await client.user.get()).email,
  token: (await client.user.tokens.verify()).status,
  account_token: (await client.accounts.tokens.verify({ account_id })).status,
  workers: await all(workers.list({ account_id, per_page: 100 })),
  worker,
  versions: await all(workers.versions.list(worker.id, { account_id })),
  latest: await workers.versions.get('latest', { account_id, worker_id: worker.id }),
  deployments: (await client.workers.scripts.deployments.list('checkout-api', { account_id })).result.deployments,
  script_versions: (await all(client.workers.scripts.versions.list('checkout-api', { account_id }))).length,
  scripts: (await all(client.workers.scripts.list({ account_id }))).length,
  namespaces,
  objects: (await all(client.durableObjects.namespaces.objects.list(rooms.id, { account_id, limit: 100 }))).map((o) => o.id),
  media_type: captured.headers.get('content-type'),
  profile: Buffer.from(await captured.arrayBuffer()).toString('hex'),
  undeployed: await failure(profile(worker.id, 'latest', { duration_ms: 1000 })),
  too_short: await failure(profile(worker.id, 'latest', { duration_ms: 10 })),
  unpaired: await failure(profile(worker.id, '7c1f2a9e', { duration_ms: 1000, actor_id: 'ab'.repeat(32) })),
  no_worker: await failure(workers.get('nobody', { account_id })),
  bad_page: await failure(workers.list({ account_id, page: 0 })),
  wrong_token: await failure(stranger.accounts.list()),
}));
