import httpx

from evals.performance.scrape import EngineSampler, is_idle_within, reset_prefix_cache, scrape
from tests.evals.performance.conftest import Serve

PROMPT = list(range(40))


def ask(base_url: str) -> None:
    body = {"prompt": PROMPT, "max_tokens": 3, "model": "scripted"}
    httpx.post(f"{base_url}/v1/completions", json=body).raise_for_status()


def test_a_prompt_sent_again_hits_until_the_cache_is_reset(serve: Serve) -> None:
    """40 tokens are two whole blocks of 16: 32 hits, and none after the reset."""
    endpoint = serve()
    hits = []
    for _ in range(2):
        ask(endpoint.base_url)
        hits.append(scrape(endpoint).values["prefix_hit_tokens_total"])
    assert reset_prefix_cache(endpoint)
    ask(endpoint.base_url)
    hits.append(scrape(endpoint).values["prefix_hit_tokens_total"])
    assert hits == [0, 32, 32]
    values = scrape(endpoint).values
    assert (values["prompt_tokens_total"], values["generated_tokens_total"]) == (120, 9)


def test_sampler_reads_at_both_ends(serve: Serve) -> None:
    endpoint = serve()
    with EngineSampler(endpoint, interval_s=60) as sampler:
        pass
    assert len(sampler.samples) == 2
    assert sampler.failures == []


def test_idle(serve: Serve) -> None:
    assert is_idle_within(serve(), 5)
